import AccessPolicy
import DefinitionModel
package import SyncEngine

extension NotificationEngine {
    /// Keeps the token of an installation at which nobody has signed in, until somebody does. The
    /// identifier of the installation is the secret that joins the two, so it must be a UUID.
    ///
    /// Anyone may send such tokens, so few are kept of each address, and the oldest give way.
    /// `source` is a hash of the address.
    package func keep(
        token text: String, type: String, ofInstallation installation: String,
        from source: [UInt8], at now: Instant
    ) async throws(SyncError) {
        let limits = engine.limits
        guard isVisible(type, upTo: limits.deviceTypeBytes) else {
            throw .notification(.typeIllegal(maxBytes: limits.deviceTypeBytes))
        }
        guard isPrintable(text, upTo: limits.pushTokenBytes) else {
            throw .notification(.tokenIllegal(maxBytes: limits.pushTokenBytes))
        }
        guard isGuid(installation) else { return }
        let token = WaitingPushToken(
            installation: installation, type: type, text: text,
            source: source, at: now)
        try await engine.reading { () async throws(StoreError) in
            try await store.keep(
                token, in: engine.environment,
                limits: WaitingTokenLimits(
                    rows: limits.waitingPushTokens, ofSource: limits.waitingPushTokensOfAddress,
                    oldest: oldestWaiting(at: now)))
        }
    }

    /// Gives the tokens that wait for the caller's device to the caller.
    package func attachTokens(to caller: Caller, at now: Instant) async throws(SyncError) {
        guard isGuid(caller.deviceIdentifier) else { return }
        try await engine.reading { () async throws(StoreError) in
            try await store.attachTokens(
                to: caller.device, deviceCategory: caller.asker.role.deviceCategory,
                in: engine.environment, oldest: oldestWaiting(at: now),
                max: engine.limits.pushTokensOfUser)
        }
    }

    private func oldestWaiting(at now: Instant) -> Instant {
        now.adding(seconds: -engine.limits.waitingPushTokenSeconds)
    }
}
