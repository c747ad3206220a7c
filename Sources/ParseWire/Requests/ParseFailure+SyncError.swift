import ChangeRules
import Hummingbird
import SyncEngine
import SyncServer

extension ParseFailure {
    /// Converts any error of the server.
    init(of error: any Error, _ request: Request) {
        switch error {
        case let failure as ParseFailure: self = failure
        case let error as SyncError: self.init(error)
        default: self.init(HTTPFailure(error, request: request))
        }
    }

    init(_ error: SyncError) { self = Self.failure(of: error, HTTPFailure(error)) }

    private static func failure(of error: SyncError, _ http: HTTPFailure) -> ParseFailure {
        switch error {
        case .find(.modelUnknown(let name)): return .unknownClass(name)
        case .find(.tooMuchToScan): return ParseFailure(154, http.sentence)
        case .find(.query), .find(.cursorOfOtherQuery), .limitOutOfRange:
            return .badQuery("\(http.sentence): \(http.help)")
        case .recordUnknown: return .objectNotFound
        case .signIn(.wrongCredentials): return .wrongPassword
        case .signIn(.tokenUnknown): return .deadSession
        case .signIn(.roleUnknown): return .forbidden(http.sentence)
        case .file(.unknown), .file(.awaited), .file(.lost):
            return ParseFailure(101, http.sentence)
        case .file(.tooLarge): return ParseFailure(116, http.sentence)
        case .file(.guidIllegal), .file(.uploadNotAllowed), .file(.notYours), .file(.exists),
            .file(.partElsewhere), .file(.digestWrong):
            return ParseFailure(130, http.sentence)
        case .file(.tooManyLoose):
            return .passing(http.sentence, status: 429, retryAfterSeconds: 3600)
        case .file(.overtaken): return .passing(http.sentence, retryAfterSeconds: 1)
        case .tooManyUnacknowledged:
            return .passing(
                "too many requests were kept for repetition", status: 429,
                retryAfterSeconds: 3600)
        case .signIn, .definitionChanged, .cursorUnreadable, .cursorForeign, .tooManyChanges,
            .tooManyAcknowledged, .tooMuchToRead, .tooMuchToMatch, .tooManyHiddenClashes,
            .modelMissing, .tooManyResolutions, .adminOnly, .ownerMissing, .account, .ticket,
            .notification, .store:
            return ParseFailure(http)
        }
    }

    private static let codesOfAccounts = ["passwordIllegal": 142, "mailIllegal": 125]

    /// Only what passes is answered so that clients send it again. A full disk does: somebody makes
    /// room, and clients drop a change that is refused for good.
    init(_ failure: HTTPFailure) {
        let text = failure.sentence
        if let code = Self.codesOfAccounts[failure.code] {
            self.init(code, "\(text): \(failure.help)")
            return
        }
        let seconds = failure.headers[.retryAfter].flatMap { Int($0) }
        switch failure.status.code {
        case 401: self.init(209, text)
        case 403: self.init(119, text)
        case 404: self.init(101, text)
        case 413: self.init(116, text)
        case 429: self = .passing(text, status: 429, retryAfterSeconds: seconds ?? 1)
        case 408 where failure.code == "cancelled":
            self = .passing(text, status: 408, retryAfterSeconds: seconds ?? 1)
        case 408, 503: self = .passing(text, retryAfterSeconds: seconds ?? 1)
        case 507: self = .passing(text, retryAfterSeconds: seconds ?? 60)
        case 500...: self.init(1, text)
        default: self.init(107, text)
        }
    }
}
