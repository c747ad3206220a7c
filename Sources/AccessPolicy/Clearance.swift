import DefinitionModel

/// Where one role's rights on one model reach a record and every field of it, worked out beforehand
/// for each operation and the four ways in which an asker can stand to a record.
///
/// A field is neither deleted nor resolved by itself, so for these there is none.
struct Clearance {
    static let nothing = Clearance(standings: [])

    /// `create`, `read`, `update`, each in the order of `Standing.all`.
    private let standings: [Bool]

    func clears(_ operation: Operation, at standing: Standing) -> Bool {
        guard let row = Self.row(of: operation), !standings.isEmpty else { return false }
        return standings[row * Standing.all.count + standing.index]
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

extension Clearance {
    /// The rules of the model, and of all its fields, for the role.
    init(record: Rule, fields: [Rule]) {
        standings = [Operation.create, .read, .update].flatMap { operation in
            Standing.all.map { standing in
                ([record] + fields).allSatisfy { $0.level(for: operation).reaches(standing) }
            }
        }
    }
}
