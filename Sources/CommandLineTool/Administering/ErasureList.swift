import Foundation
import JSON
import SyncEngine

/// The lines of 'waggle user erasures'.
struct ErasureList {
    /// By environment.
    private(set) var erasures: [String: [Erasure]] = [:]

    /// Throws if a line is not one of the list.
    init(path: String) throws {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ToolFailure(
                .inputAtFault, "'\(path)' cannot be read", help: "\(error.localizedDescription)")
        }
        for (number, line) in text.split(separator: "\n").enumerated() {
            guard case .object(let members)? = try? parseJSON(Array(line.utf8)),
                case .string(let environment)? = members["environment"],
                case .string(let login)? = members["login"],
                case .integer(let at)? = members["at"],
                case .string(let author)? = members["author"]
            else {
                throw ToolFailure(
                    .inputAtFault, "\(path):\(number + 1): this is no line of a list of erasures",
                    help: "write the list with 'waggle user erasures'")
            }
            erasures[environment, default: []].append(
                Erasure(login: login, at: Instant(milliseconds: at), author: author))
        }
    }
}
