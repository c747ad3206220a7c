import AccessPolicy
import DefinitionModel

extension Policy {
    /// The first denial, if there is one.
    func denial(to inquiry: Inquiry) -> Denial? {
        for question in inquiry.questions {
            switch decide(question) {
            case .allow: continue
            case .deny(let denial): return denial
            }
        }
        return nil
    }

    /// How far a right reaches in the end, whatever rules have a say in it.
    func reach(
        of role: Role, to operation: Operation, field: String? = nil, of model: String
    ) -> Reach {
        Reach { owner in
            let inquiry = Inquiry(
                role: role, model: model, field: field, operation: operation, owner: owner)
            return denial(to: inquiry) == nil
        }
    }
}

extension Inquiry {
    /// What must be allowed for it. A resolution is an update of the record, too.
    var operations: [Operation] {
        switch operation {
        case .create, .read, .update, .delete: [operation]
        case .resolve: [.update, .resolve]
        }
    }

    /// Of the model, and of the field if there is one.
    var subjects: [Subject] {
        [.model(model)] + (field.map { [.field($0, of: model)] } ?? [])
    }

    /// A question about a field is one about its record too, so the last subject asks it all.
    fileprivate var questions: [Question] {
        let subject = field.map { Subject.field($0, of: model) } ?? .model(model)
        return operations.map {
            Question(
                asker: asker, operation: $0, subject: subject, record: owner.record(for: asker))
        }
    }

    /// Anyone of the role: no right asks for more than group and login.
    private var asker: Asker { Asker(login: "asker", group: role.group, role: role) }
}

extension RecordOwner {
    fileprivate func record(for asker: Asker) -> Ownership {
        let otherGroup = asker.group + "'"
        return switch self {
        case .own: Ownership(owner: asker.login, group: asker.group)
        case .moved: Ownership(owner: asker.login, group: otherGroup)
        case .group: Ownership(owner: "other", group: asker.group)
        case .other: Ownership(owner: "other", group: otherGroup)
        }
    }
}
