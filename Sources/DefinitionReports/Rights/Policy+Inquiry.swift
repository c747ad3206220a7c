import AccessPolicy
import DefinitionModel

extension Policy {
    /// The first denial, if any.
    func denial(to inquiry: Inquiry) -> Denial? {
        for question in inquiry.questions {
            switch decide(question) {
            case .allow: continue
            case .deny(let denial): return denial
            }
        }
        return nil
    }

    /// The effective reach of a right, after all rules that take part.
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
    /// The operations that must be allowed. A resolution also updates the record.
    var operations: [Operation] {
        switch operation {
        case .create, .read, .update, .delete: [operation]
        case .resolve: [.update, .resolve]
        }
    }

    /// The model and, if the inquiry is about one, the field.
    var subjects: [Subject] {
        [.model(model)] + (field.map { [.field($0, of: model)] } ?? [])
    }

    /// A question about a field includes its record, so the last subject covers all.
    fileprivate var questions: [Question] {
        let subject = field.map { Subject.field($0, of: model) } ?? .model(model)
        return operations.map {
            Question(
                asker: asker, operation: $0, subject: subject, record: owner.record(for: asker))
        }
    }

    /// Any user with the role; rights depend on group and login only.
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
