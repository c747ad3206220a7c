import DefinitionModel

extension Explanation {
    /// The reason in one sentence.
    package var reason: String {
        isAllowed ? permission : rules.map(refusal(by:)).joined()
    }

    private var permission: String {
        let grants = rules.map(grant(of:)).joined(separator: ", and ")
        let isForAll = rules.allSatisfy { $0.level == .all }
        return "the role '\(inquiry.role.name)' may \(grants)" + (isForAll ? "" : ", and \(owner)")
    }

    private func refusal(by rule: DecidingRule) -> String {
        let role = inquiry.role.name
        let subject = rule.field.map { "'\($0)' of '\(inquiry.model)'" } ?? "'\(inquiry.model)'"
        let preface =
            rule.operation == inquiry.operation ? "" : "a resolution is an update too, and "
        guard rule.isWritten else {
            return "\(preface)the role '\(role)' has no credential for \(subject), so it may not "
                + "'\(rule.operation.rawValue)' "
                + (rule.field == nil ? "its \(objects(of: rule))" : "it")
        }
        guard rule.level != .none else {
            return "\(preface)the role '\(role)' may not '\(rule.operation.rawValue)' "
                + "\(object(of: rule)): its right is NONE"
        }
        return "\(preface)the role '\(role)' may \(grant(of: rule)), but \(owner)"
    }

    /// Such as "'read' records of 'film' at OWN".
    private func grant(of rule: DecidingRule) -> String {
        let level = rule.operation == .resolve ? "" : " at \(rule.level.rawValue)"
        return "'\(rule.operation.rawValue)' \(object(of: rule))\(level)"
    }

    private func object(of rule: DecidingRule) -> String {
        if let field = rule.field { return "the field '\(field)' of '\(inquiry.model)'" }
        return "\(objects(of: rule)) of '\(inquiry.model)'"
    }

    private func objects(of rule: DecidingRule) -> String {
        rule.operation == .resolve ? "conflicts" : "records"
    }

    private var owner: String {
        if inquiry.operation == .create, inquiry.owner == .own {
            return "a new record is its creator's own"
        }
        return switch inquiry.owner {
        case .own: "this one is the asker's own"
        case .moved: "this one is the asker's own, made in a group that they have left"
        case .group: "this one is of someone else in the same group"
        case .other: "this one is of someone in another group"
        }
    }
}
