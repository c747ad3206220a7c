import AccessPolicy
import DefinitionModel
import DefinitionReports

/// Asks `AccessPolicy` directly, without the code of the reports.
struct Judge {
    let policy: Policy

    init(_ definition: Definition) {
        policy = Policy(definition)
    }

    func allows(
        _ role: Role, _ operation: Operation, field: String?, of model: String,
        owner: RecordOwner
    ) -> Bool {
        let asker = Asker(login: "anna", group: role.group, role: role)
        let record =
            switch owner {
            case .own: Ownership(owner: "anna", group: role.group)
            case .moved: Ownership(owner: "anna", group: "elsewhere")
            case .group: Ownership(owner: "bert", group: role.group)
            case .other: Ownership(owner: "bert", group: "elsewhere")
            }
        let subject = field.map { Subject.field($0, of: model) } ?? .model(model)
        let operations: [Operation] = operation == .resolve ? [.update, .resolve] : [operation]
        return operations.allSatisfy {
            policy.decide(
                Question(asker: asker, operation: $0, subject: subject, record: record)) == .allow
        }
    }
}
