import DefinitionModel

/// The rights of one role on one model, precomputed: for each operation and each of the four
/// relations of an asker to a record, whether they cover the record and every field of it.
///
/// Deletion and resolution concern whole records only, so they have no entries here.
struct OperationMask {
    static let nothing = OperationMask(allowed: [])

    /// `create`, `read`, `update`, each in the order of `Relationship.all`.
    private let allowed: [Bool]

    func allows(_ operation: Operation, at relationship: Relationship) -> Bool {
        guard let row = Self.row(of: operation), !allowed.isEmpty else { return false }
        return allowed[row * Relationship.all.count + relationship.index]
    }

    private static func row(of operation: Operation) -> Int? {
        switch operation {
        case .create: 0
        case .read: 1
        case .update: 2
        case .delete, .resolve: nil
        }
    }
}

extension OperationMask {
    /// - Parameter fields: The rules of all fields of the model.
    init(record: Rule, fields: [Rule]) {
        allowed = [Operation.create, .read, .update].flatMap { operation in
            Relationship.all.map { relationship in
                ([record] + fields).allSatisfy { $0.level(for: operation).reaches(relationship) }
            }
        }
    }
}
