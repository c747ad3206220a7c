import DefinitionModel
import Foundation
import JSON
import SyncEngine

/// An environment of a list of erasures.
struct ListedEnvironment: Hashable {
    let name: String
    /// `EnvironmentState.instance`, which outlives other names; nil in lists of earlier versions.
    let instance: String?

    /// Lists are sorted by this.
    fileprivate var order: (String, String) { (name, instance ?? "") }

    /// Whether the data of one is that of the other, as far as a list tells.
    func isSame(as other: ListedEnvironment) -> Bool {
        guard let instance, let otherInstance = other.instance else { return name == other.name }
        return instance == otherInstance
    }
}

/// The lines of 'waggle user erasures'.
struct ErasureList {
    /// An environment without erasures is listed too: it is covered.
    private var erasures: [ListedEnvironment: [Erasure]] = [:]

    init() {}

    /// Whether nobody was erased.
    var isEmpty: Bool { erasures.values.allSatisfy(\.isEmpty) }

    /// Throws if a line is not one of the list.
    init(path: String) throws {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ToolFailure(
                .inputAtFault, "'\(path)' cannot be read", help: "\(error.localizedDescription)")
        }
        for (number, line) in text.split(separator: "\n").enumerated() where !add(line: line) {
            throw ToolFailure(
                .inputAtFault, "\(path):\(number + 1): this is no line of a list of erasures",
                help: "write the list with 'waggle user erasures'")
        }
    }

    /// Returns false if it is not a line of a list.
    private mutating func add(line: Substring) -> Bool {
        guard case .object(let members)? = try? parseJSON(Array(line.utf8)),
            case .string(let name)? = members["environment"]
        else { return false }
        var instance: String?
        if let member = members["instance"] {
            guard case .string(let text) = member else { return false }
            instance = text
        }
        let environment = ListedEnvironment(name: name, instance: instance)
        guard members["login"] != nil else {
            guard instance != nil else { return false }
            add(environment)
            return true
        }
        guard case .string(let login)? = members["login"],
            case .integer(let at)? = members["at"],
            case .string(let author)? = members["author"]
        else { return false }
        add(
            Erasure(login: login, at: Instant(milliseconds: at), author: author),
            in: environment)
        return true
    }

    /// Lists an environment, which may have no erasures.
    mutating func add(_ environment: ListedEnvironment) {
        erasures[environment] = erasures[environment] ?? []
    }

    /// The latest erasure of a person counts.
    mutating func add(_ erasure: Erasure, in environment: ListedEnvironment) {
        erasures[environment] = (erasures[environment] ?? []).adding(erasure)
    }

    /// The erasures of an environment, whatever its name was; nil if the list does not cover it.
    func erasures(in environment: ListedEnvironment) -> [Erasure]? {
        let found = erasures.filter { $0.key.isSame(as: environment) }
        guard !found.isEmpty else { return nil }
        return found.sorted { $0.key.name < $1.key.name }.flatMap(\.value)
            .reduce(into: [Erasure]()) { $0 = $0.adding($1) }
    }

    /// An object a line, by environment.
    var text: String {
        erasures.sorted { $0.key.order < $1.key.order }
            .flatMap { environment, erasures -> [String] in
                var line: [String: JSONValue] = ["environment": .string(environment.name)]
                if let instance = environment.instance { line["instance"] = .string(instance) }
                guard !erasures.isEmpty else { return [JSONValue.object(line).text + "\n"] }
                return erasures.map { erasure in
                    line["login"] = .string(erasure.login)
                    line["at"] = .integer(erasure.at.milliseconds)
                    line["author"] = .string(erasure.author)
                    return JSONValue.object(line).text + "\n"
                }
            }
            .joined()
    }
}

extension [Erasure] {
    fileprivate func adding(_ erasure: Erasure) -> [Erasure] {
        var list = self
        if let index = list.firstIndex(where: { $0.isOfSamePerson(as: erasure) }) {
            guard list[index].at < erasure.at else { return list }
            list.remove(at: index)
        }
        return list + [erasure]
    }
}

extension Erasure {
    /// Logins are compared by their bytes.
    func isOfSamePerson(as other: Erasure) -> Bool {
        login.hasSameBytes(as: other.login)
    }
}
