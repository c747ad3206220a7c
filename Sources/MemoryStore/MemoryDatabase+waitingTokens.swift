import DefinitionModel
package import Notifications
package import SyncEngine

extension MemoryDatabase {
    package func keep(
        _ token: WaitingPushToken, in environment: EnvironmentID, limits: WaitingTokenLimits
    ) throws(StoreError) {
        try write(in: environment) { environment in
            environment.waitingTokens[token.place] = token
            let newest = environment.waitingTokens.values.filter { $0.at >= limits.oldest }
                .sorted { ($1.at, $0.place) < ($0.at, $1.place) }
            let ofSource = newest.filter { $0.source == token.source }
            let excess = Set(ofSource.dropFirst(limits.ofSource).map(\.place))
            let kept = newest.filter { !excess.contains($0.place) }.prefix(limits.rows)
            environment.waitingTokens = [:]
            for token in kept { environment.waitingTokens[token.place] = token }
        }
    }

    package func attachTokens(
        to device: DeviceKey, deviceCategory: String, in environment: EnvironmentID,
        oldest: Instant, max: Int
    ) throws(StoreError) {
        try write(in: environment) { environment in
            let identifier = ByteKey(device.deviceIdentifier)
            let login = ByteKey(device.login)
            guard environment.users[login] != nil else { return }
            let waiting = environment.waitingTokens.filter { $0.key.deviceIdentifier == identifier }
                .sorted { $0.key < $1.key }
            for (place, token) in waiting {
                environment.waitingTokens[place] = nil
                let held = environment.pushTokens[place]
                let isOutdated =
                    held.map { ByteKey($0.device.login) == login && $0.at > token.at } ?? false
                let others = environment.pushTokens.filter {
                    $0.key != place && ByteKey($0.value.device.login) == login
                }
                guard token.at >= oldest, !isOutdated, others.count < max else { continue }
                environment.pushTokens[place] = PushToken(
                    device: device, deviceCategory: deviceCategory, type: token.type,
                    text: token.text, at: token.at)
                environment.guestSources[place] = nil
            }
        }
    }
}

extension WaitingPushToken {
    fileprivate var place: PushTokenSortKey {
        PushTokenSortKey(PushTokenKey(deviceIdentifier: installation, type: type))
    }
}
