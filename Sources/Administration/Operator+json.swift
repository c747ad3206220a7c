package import JSON
import SyncEngine

extension Operator {
    package var json: JSONValue {
        .object([
            "name": .string(name), "scope": .string(scope.rawValue),
            "createdAt": .integer(createdAt.milliseconds),
        ])
    }
}

extension AdminCaller {
    package var json: JSONValue {
        let (by, environment, until): (String, String?, JSONValue) =
            switch proof {
            case .session(_, let confirmedAt):
                (
                    "session", nil,
                    .integer(
                        confirmedAt.adding(seconds: AdministrationLimits.confirmationSeconds)
                            .milliseconds)
                )
            case .token(let environment): ("token", environment, .null)
            }
        return .object([
            "name": .string(name), "scope": .string(scope.rawValue), "by": .string(by),
            "environment": JSONValue(text: environment), "passwordUntil": until,
        ])
    }
}

extension OperatorToken {
    /// Without the hash.
    package var members: [String: JSONValue] {
        [
            "name": .string(name), "scope": .string(scope.rawValue),
            "environment": JSONValue(text: environment), "author": .string(author),
            "createdAt": .integer(createdAt.milliseconds),
            "expiresAt": .integer(expiresAt.milliseconds),
        ]
    }
}

extension NumberedToken {
    package var json: JSONValue {
        .object(token.members.merging(["number": .integer(number)]) { $1 })
    }
}

extension LoggedActivity {
    package var json: JSONValue {
        .object([
            "number": .integer(number), "at": .integer(at.milliseconds),
            "actor": .string(activity.actor), "origin": .string(activity.origin),
            "act": .string(activity.act), "environment": JSONValue(text: activity.environment),
            "target": .string(activity.target), "before": .string(activity.before),
            "after": .string(activity.after),
        ])
    }
}

extension LoggedDeployment {
    package var json: JSONValue {
        .object([
            "number": .integer(number), "version": .integer(version),
            "fingerprint": .string(fingerprint), "author": .string(author),
            "deployedAt": .integer(deployedAt.milliseconds), "fill": fill?.json ?? .null,
        ])
    }
}
