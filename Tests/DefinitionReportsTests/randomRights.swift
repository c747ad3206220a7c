import DefinitionModel
import TestKit

/// Three roles, and two models with three fields, each with some credentials.
func randomRights(seed: UInt64) -> Definition {
    var random = SplitMix64(seed: seed)
    let roles = (0..<3).map { Role(group: "g\($0)", deviceCategory: "d") }
    let models = (0..<2).map { index in
        let fields = (0..<3).map { index in
            Sample.field("f\(index)", credentials: roles.sampled(using: &random) { .random(&$0) })
        }
        return Sample.model(
            "m\(index)", fields: fields,
            credentials: roles.sampled(using: &random) { .random(&$0) })
    }
    return Sample.definition(roles: roles, models: models)
}

extension [Role] {
    /// A random subset, each with a random value.
    fileprivate func sampled<Value: Hashable & Sendable>(
        using random: inout SplitMix64, _ value: (inout SplitMix64) -> Value
    ) -> RoleTable<Value> {
        var result = RoleTable<Value>()
        for role in self where Int.random(in: 0..<4, using: &random) > 0 {
            _ = result.insert(value(&random), for: role)
        }
        return result
    }
}

extension AccessLevel {
    fileprivate static func random(_ random: inout SplitMix64) -> AccessLevel {
        allCases[Int.random(in: 0..<allCases.count, using: &random)]
    }
}

extension ModelCredential {
    fileprivate static func random(_ random: inout SplitMix64) -> ModelCredential {
        ModelCredential(
            create: .random(&random), read: .random(&random), update: .random(&random),
            delete: .random(&random), resolvesConflicts: Bool.random(using: &random),
            place: .random(&random))
    }
}

extension FieldCredential {
    fileprivate static func random(_ random: inout SplitMix64) -> FieldCredential {
        FieldCredential(
            create: .random(&random), read: .random(&random), update: .random(&random),
            place: .random(&random))
    }
}

extension SourcePlace {
    fileprivate static func random(_ random: inout SplitMix64) -> SourcePlace {
        SourcePlace(line: Int.random(in: 1...9999, using: &random), column: 1)
    }
}
