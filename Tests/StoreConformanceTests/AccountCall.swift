import SyncEngine
import UserAccounts

/// A call about sign-ins and devices as a value.
enum AccountCall: Sendable {
    case failSignIn(SignInSource)
    case signInState(SignInSource)
    case openSession(
        token: UInt8, SignInSource, device: String, hours: Int64, passwordHash: String)
    case hasSignedIn(DeviceKey)
    case forgetDevices(before: Instant, limit: Int)
}

extension AccountCall {
    /// Whether the call counts failed sign-ins, or answers with their number.
    var concernsFailures: Bool {
        switch self {
        case .failSignIn, .signInState: true
        case .openSession, .hasSignedIn, .forgetDevices: false
        }
    }

    func answer(
        of store: any WholeStore, in environment: EnvironmentID, at now: Instant
    ) async throws -> StoreAnswer {
        switch self {
        case .failSignIn(let source):
            try await store.addFailedSignIn(of: source, in: environment, at: now, keeping: 3)
            return .done
        case .signInState(let source):
            return .signInState(
                try await store.signInState(of: source, in: environment, at: now))
        case .openSession(let token, let source, let device, let hours, let hash):
            let session = Session(
                tokenHash: [token], environment: environment, login: source.login,
                deviceCategory: "mobile", deviceIdentifier: device,
                expiresAt: now.adding(seconds: hours * 3600))
            return .opened(
                try await store.openSession(
                    session, passwordHash: hash, from: source,
                    within: SignInLimits(sessions: 2, devices: 2), at: now))
        case .hasSignedIn(let device):
            return .kept(try await store.hasSignedIn(device, in: environment))
        case .forgetDevices(let moment, let limit):
            let request = SweepRequest(environment: environment, before: moment, limit: limit)
            return .number(Int64(try await store.forgetDevices(request)))
        }
    }
}
