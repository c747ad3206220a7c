import JSON
package import SyncEngine

/// The designers of a draft in one server process, as that process tells the others. It repeats
/// the news, so that a lost message, or a process that ends, does no lasting harm.
package struct DesignerNews: Hashable, Sendable {
    /// Distinguishes the processes on a database.
    package let process: String
    package let draft: String
    /// The names of the operators, sorted. Empty once the last one has left.
    package let names: [String]

    package init(process: String, draft: String, names: [String]) {
        self.process = process
        self.draft = draft
        self.names = names
    }

    /// Bytes of names; PostgreSQL carries 8,000 in all.
    private static let nameBytes = 6000

    /// The message between processes. It has the first names if not all fit.
    package var text: String {
        var bytes = 0
        let told = names.prefix {
            bytes += JSONValue.string($0).text.utf8.count + 1
            return bytes <= Self.nameBytes
        }
        return JSONValue.object([
            "process": .string(process), "draft": .string(draft),
            "names": .array(told.map { .string($0) }),
        ]).text
    }

    /// Nil for a text that is no such message.
    package init?(text: String) {
        guard case .object(let members)? = try? parseJSON(Array(text.utf8)),
            case .string(let process)? = members["process"],
            case .string(let draft)? = members["draft"],
            case .array(let names)? = members["names"]
        else { return nil }
        self.init(
            process: process, draft: draft,
            names: names.compactMap { name in
                guard case .string(let name) = name else { return nil }
                return name
            })
    }
}

/// Carries news of designers to the other processes on a database.
package protocol DesignerChannel: Sendable {
    func tell(_ news: DesignerNews) async throws(StoreError)
}
