import DefinitionModel
import Logging
import Synchronization

/// Tells the operator of fields that the client for Swift misreads: it takes each answer with a
/// text `error` or `message` for an error. Each definition is told of once in a process.
final class MisreadFields: Sendable {
    /// The environments and fingerprints of definitions that were looked at.
    private let seen = Mutex<Set<String>>([])

    /// When so many definitions were looked at, all of them are forgotten.
    private static let mostSeen = 1000

    /// - Parameter fingerprint: The fingerprint of the definition.
    func note(
        in definition: Definition, _ fingerprint: String, of environment: String,
        to logger: Logger
    ) {
        let isNew = seen.withLock { seen in
            if seen.count >= Self.mostSeen { seen = [] }
            return seen.insert("\(environment) \(fingerprint)").inserted
        }
        guard isNew else { return }
        for name in Self.names(in: definition) {
            logger.notice(
                "clients of Parse for Swift take objects with this field for errors",
                metadata: ["field": "\(name)"])
        }
    }

    /// The fields, as `CLASS.KEY`.
    static func names(in definition: Definition) -> [String] {
        definition.models.flatMap { model in
            model.fields.filter { field in
                field.type.name == .text && field.type.format == nil
                    && ["error", "message"].contains(field.foreignName)
            }.map { "\(model.foreignName).\($0.foreignName)" }
        }
    }
}
