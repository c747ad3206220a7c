import AccessPolicy
import DefinitionModel
import DefinitionReports
import TestKit
import Testing

/// Definitions with every mixture of rights: those on disk, and some random ones.
private func definitions() throws -> [Definition] {
    try Documents.names.map(Documents.definition) + (1...20).map { randomRights(seed: $0) }
}

@Suite struct RightsTests {
    @Test func matrixAgreesWithPolicy() throws {
        for definition in try definitions() {
            let judge = Judge(definition)
            for model in RightsMatrix(definition).models {
                let rows =
                    [(field: String?.none, rights: model.rights)]
                    + model.fields.map { (field: $0.field.name, rights: $0.rights) }
                for (field, rights) in rows {
                    #expect(rights.map(\.role) == definition.roles)
                    expectTruth(of: rights, field: field, model: model.model.name, judge)
                }
            }
        }
    }

    private func expectTruth(
        of rights: [RoleRights], field: String?, model: String, _ judge: Judge
    ) {
        for rights in rights {
            let operations = field == nil ? Operation.allCases : [.create, .read, .update]
            #expect(rights.rights.map(\.operation) == operations)
            for right in rights.rights {
                let reached = RecordOwner.allCases.filter {
                    judge.allows(
                        rights.role, right.operation, field: field, of: model, owner: $0)
                }
                #expect(
                    right.reach.owners == Set(reached),
                    "\(rights.role.name) \(right.operation) \(model).\(field ?? "")")
            }
        }
    }

    @Test func explanationAgreesWithPolicy() throws {
        for definition in try definitions() {
            let judge = Judge(definition)
            for inquiry in inquiries(about: definition) {
                let answer = explain(inquiry, by: judge.policy)
                #expect(
                    answer.isAllowed
                        == judge.allows(
                            inquiry.role, inquiry.operation, field: inquiry.field,
                            of: inquiry.model, owner: inquiry.owner))
                #expect(!answer.rules.isEmpty)
            }
        }
    }

    /// If allowed, every listed rule reaches the record; if denied, the listed rule does not.
    @Test func rulesOfExplanationAreThoseThatDecide() throws {
        for definition in try definitions() {
            let judge = Judge(definition)
            for inquiry in inquiries(about: definition) {
                let answer = explain(inquiry, by: judge.policy)
                for rule in answer.rules {
                    #expect(rule.level.reaches(inquiry.owner) == answer.isAllowed)
                    let model = definition.models.first { $0.name == inquiry.model }
                    #expect(rule.place == place(of: rule, inquiry.role, in: model))
                }
                let isAboutField = inquiry.field != nil
                let count = (isAboutField ? 2 : 1) * (inquiry.operation == .resolve ? 2 : 1)
                #expect(answer.rules.count == (answer.isAllowed ? count : 1))
            }
        }
    }

    private func place(of rule: DecidingRule, _ role: Role, in model: Model?) -> SourcePlace? {
        guard let name = rule.field else { return model?.credentials[role]?.place ?? model?.place }
        let field = model?.fields.first { $0.name == name }
        return field?.credentials[role]?.place ?? field?.place
    }

    private func inquiries(about definition: Definition) -> [Inquiry] {
        definition.roles.flatMap { role in
            definition.models.flatMap { model in
                ([nil] + model.fields.map(\.name)).flatMap { field in
                    (field == nil ? Operation.allCases : Operation.ofFields).flatMap { operation in
                        RecordOwner.allCases.compactMap { owner in
                            try? Inquiry(
                                role: role.name, model: model.name, field: field,
                                operation: operation, owner: owner, in: definition)
                        }
                    }
                }
            }
        }
    }
}

extension AccessLevel {
    fileprivate func reaches(_ owner: RecordOwner) -> Bool {
        switch self {
        case .none: false
        case .own: owner == .own || owner == .moved
        case .group: owner == .own || owner == .group
        case .all: true
        }
    }
}
