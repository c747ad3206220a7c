/// An error in the format of the original clients, which show its message to people.
struct WireRefusal: Error, Hashable {
    /// Codes that the clients distinguish.
    enum Code: String, Encodable {
        /// The client asks for login and password again.
        case authenticationFailure
        /// The uploaded archive was refused.
        case syncRejected
        case other
    }

    let code: Code
    /// The fault and the remedy.
    let message: String
    /// The values that the message mentions, in their order.
    var arguments: [String] = []
}

extension WireRefusal: Encodable {}

extension WireRefusal {
    static func headerMissing(_ name: String) -> WireRefusal {
        WireRefusal(
            code: .other, message: "the request has no header '\(name)'", arguments: [name])
    }

    static func parameterMissing(_ name: String) -> WireRefusal {
        WireRefusal(
            code: .other, message: "the request has no parameter '\(name)'", arguments: [name])
    }

    static func parameterIllegible(_ name: String) -> WireRefusal {
        WireRefusal(
            code: .other, message: "the parameter '\(name)' is not percent-encoded UTF-8",
            arguments: [name])
    }

    /// A synchronization that is refused as a whole.
    static func rejected(_ message: String) -> WireRefusal {
        WireRefusal(code: .syncRejected, message: message)
    }

    static let userIllegible = WireRefusal(
        code: .other,
        message: "the user is not a JSON object with strings 'login', 'group' and others")

    static let pushIllegible = WireRefusal(
        code: .other,
        message:
            "the push is not a JSON object with 'notification', an object, and optionally "
            + "'device', 'group' and 'users', a list")

    static func userIncomplete(_ member: String) -> WireRefusal {
        WireRefusal(
            code: .other, message: "a new user has no '\(member)'", arguments: [member])
    }

    static func environmentUnknown(_ client: ClientIdentity) -> WireRefusal {
        WireRefusal(
            code: .other,
            message: "this server has no instance '\(client.environment)'; set another one in the "
                + "app's configuration",
            arguments: [client.environment])
    }

    static func applicationUnknown(_ client: ClientIdentity) -> WireRefusal {
        let name = "\(client.vendor)/\(client.application)"
        return WireRefusal(
            code: .other,
            message: "the instance '\(client.environment)' is not one of '\(name)'; set vendor, "
                + "application and instance in the app's configuration",
            arguments: [name, client.environment])
    }

    static func digestUnknown(_ digest: String) -> WireRefusal {
        WireRefusal(
            code: .other,
            message: "the definition with the digest '\(digest)' was never deployed here; the "
                + "operator can deploy the one that this app was built with",
            arguments: [digest])
    }
}
