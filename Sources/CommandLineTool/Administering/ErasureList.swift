import Foundation
import JSON
import SyncEngine

/// The lines of 'waggle user erasures'.
struct ErasureList {
    /// By environment.
    private(set) var erasures: [String: [Erasure]] = [:]

    init() {}

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
            add(
                Erasure(login: login, at: Instant(milliseconds: at), author: author),
                in: environment)
        }
    }

    /// The latest erasure of a person counts.
    mutating func add(_ erasure: Erasure, in environment: String) {
        var present = erasures[environment] ?? []
        if let index = present.firstIndex(where: { $0.isOfSamePerson(as: erasure) }) {
            guard present[index].at < erasure.at else { return }
            present.remove(at: index)
        }
        erasures[environment] = present + [erasure]
    }

    /// An object a line, by environment.
    var text: String {
        erasures.sorted { $0.key < $1.key }.flatMap { environment, erasures in
            erasures.map { erasure in
                JSONValue.object([
                    "environment": .string(environment), "login": .string(erasure.login),
                    "at": .integer(erasure.at.milliseconds), "author": .string(erasure.author),
                ]).text + "\n"
            }
        }.joined()
    }
}

extension Erasure {
    /// Logins are compared by their bytes.
    func isOfSamePerson(as other: Erasure) -> Bool {
        login.utf8.elementsEqual(other.login.utf8)
    }
}
