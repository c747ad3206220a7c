import HTTPTypes
import OpenIDConnect
import SyncServer
import UserAccounts

extension HTTPFailure {
    init(_ refusal: ProviderRefusal) {
        self.init(refusal.status, refusal.code.rawValue, refusal.sentence, help: refusal.help)
        if refusal.status == .serviceUnavailable { self = with(.retryAfter, "5") }
    }
}

extension ProviderRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .providerUnknown: .notFound
        case .unavailable, .overloaded: .serviceUnavailable
        case .redirectUnknown, .stateUnknown: .badRequest
        case .codeRefused, .idToken: .unauthorized
        case .identity(.loginTaken): .conflict
        case .identity(.userUnknown), .identity(.loginIllegal), .identity(.groupMissing),
            .signInCodeUnknown:
            .forbidden
        }
    }

    fileprivate var help: String {
        switch self {
        case .providerUnknown, .redirectUnknown:
            "the operator describes providers and redirects, see signInProviders"
        case .unavailable: "try again later; the log of the server says why"
        case .overloaded: "try again in a few seconds"
        case .stateUnknown: "begin the sign-in in this browser, and end it within ten minutes"
        case .codeRefused: "begin the sign-in again"
        case .idToken: "get another token from the provider"
        case .identity(.userUnknown), .identity(.loginIllegal):
            "ask the operator to add the user"
        case .identity(.loginTaken):
            "ask the operator, who can let the user sign in with the provider"
        case .identity(.groupMissing): "ask the operator which groups of the provider count"
        case .signInCodeUnknown: "begin the sign-in again"
        }
    }
}
