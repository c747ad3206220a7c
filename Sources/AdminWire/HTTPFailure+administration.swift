import Administration
import DefinitionCompiler
import HTTPTypes
import SyncEngine
import SyncServer

/// Errors of the administration.
extension HTTPFailure {
    static func hostUnknown() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "hostUnknown", "the administration is not at this host",
            help: "use 127.0.0.1 or localhost, or name the origin in the setting adminOrigins")
    }

    static func crossSite() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "crossSite", "a page of another site sent the request",
            help: "open the administration itself")
    }

    static func proofMissing() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "proofMissing", "nothing says how the user signs in",
            help: "send a 'password', or the name of a 'provider'")
    }

    static func providerIllegal(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "providerIllegal", "'\(name)' is no provider, or comes with a password",
            help: "send either a 'password', or the name of a 'provider' as in signInProviders")
    }

    static func sessionEnded() -> HTTPFailure {
        HTTPFailure(
            .unauthorized, "sessionEnded", "the session or token is unknown, ended or expired",
            help: "sign in again, or make another token"
        ).with(.wwwAuthenticate, "Bearer error=\"invalid_token\"")
    }

    static func contentTypeUnsupported() -> HTTPFailure {
        HTTPFailure(
            .unsupportedMediaType, "contentTypeUnsupported", "the body is not declared as JSON",
            help: "send the header 'Content-Type: application/json'")
    }

    static func notJSON() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "notJSON", "the body is not JSON",
            help: "'waggle openapi' shows the whole message")
    }

    init(_ fault: MessageFault) {
        self.init(
            .badRequest, "wrongShape", fault.fault, help: fault.help,
            details: fault.path.isEmpty ? [:] : ["path": fault.path])
    }

    static func parameterIllegal(_ name: String, _ fault: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "parameterIllegal", "the parameter '\(name)' \(fault)",
            help: "'waggle openapi' shows what it may be", details: ["parameter": name])
    }

    init(_ refusal: AdminRefusal) {
        switch refusal {
        case .credentialsMissing:
            self = HTTPFailure(
                .unauthorized, "credentialsMissing", "the request has neither token nor session",
                help: "sign in, or send the header 'Authorization: Bearer TOKEN'"
            ).with(.wwwAuthenticate, "Bearer")
        case .sessionNeeded:
            self.init(
                .forbidden, "sessionNeeded", "this needs a session, not a token",
                help: "sign in as an operator")
        case .scopeTooNarrow(let scopes):
            let names = AdminScope.allCases.filter(scopes.contains).map(\.rawValue)
            self.init(
                .forbidden, "scopeTooNarrow", "your scope does not include this",
                help: "ask somebody with the scope \(names.joined(separator: " or "))",
                details: ["scopes": names.joined(separator: " ")])
        case .environmentForeign:
            self.init(
                .forbidden, "environmentForeign", "the token is for another environment",
                help: "use it for its environment, or make one for all")
        case .passwordNeeded:
            self.init(
                .forbidden, "passwordNeeded", "this needs your password again",
                help: "send it to /admin/v1/session/confirmation, and send this again")
        }
    }

    init(_ error: OperatorError) {
        switch error {
        case .nameIllegal(let name):
            self.init(
                .badRequest, "nameIllegal", "'\(name)' is not a valid name",
                help: "use 1 to 64 letters, digits and the characters . _ - @")
        case .scopeOfTokens(let scope):
            self.init(
                .badRequest, "scopeOfTokens", "no person has the scope '\(scope.rawValue)'",
                help: "use viewer, keeper or designer")
        case .exists(let name):
            self.init(
                .conflict, "operatorExists", "there is an operator '\(name)' already",
                help: "choose another name, or change that operator")
        case .unknown(let name):
            self.init(
                .notFound, "operatorUnknown", "there is no operator '\(name)'",
                help: "look at the list of operators")
        case .lastDesigner(let name):
            self.init(
                .conflict, "lastDesigner", "'\(name)' is the only designer",
                help: "make another operator a designer first")
        case .tooMany:
            self.init(
                .conflict, "administrationFull", "there are too many operators or tokens",
                help: "remove some that nobody uses")
        case .setupClosed:
            self.init(
                .forbidden, "setupClosed", "the token for the first operator is not valid",
                help: "start the server again for another one, or use 'waggle operator add'")
        case .store(let error): self.init(SyncError.store(error))
        }
    }

    static func changesIllegible() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "changesIllegible", "the changes do not have the form of changes",
            help: "the Wire page of the documentation shows their members")
    }

    static func previewMissing() -> HTTPFailure {
        HTTPFailure(
            .unsupportedMediaType, "previewMissing", "the file is no PNG, JPEG, GIF or WebP image",
            help: "download it")
    }

    static func metricsOff() -> HTTPFailure {
        HTTPFailure(
            .notFound, "metricsOff", "the server collects no metrics",
            help: "set metricsPort, and start it again")
    }

    static func daysIllegal() -> HTTPFailure {
        let most = AdministrationLimits.longestTokenDays
        return HTTPFailure(
            .badRequest, "daysIllegal", "a token cannot be valid for so long",
            help: "use 1 to \(most) days", details: ["max": "\(most)"])
    }

    static func tokenUnknown(_ number: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "adminTokenUnknown", "there is no token '\(number)'",
            help: "look at the list of tokens")
    }

    static func nameUnknown(_ name: String, known: [String]) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "nameUnknown", "the definition does not have '\(name)' there",
            help: "there are \(known.map { "'\($0)'" }.joined(separator: ", "))")
    }

    static func operationOfRecords(_ operation: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "operationOfRecords", "a field has no '\(operation)' of its own",
            help: "leave the field out")
    }
}
