import DefinitionModel
package import Notifications
package import SyncEngine

extension MemoryDatabase: NotificationStore {
    package func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource?
    ) throws(StoreError) -> Bool {
        try write(in: environment) { environment in
            let place = PushTokenSortKey(token.key)
            let others = environment.pushTokens.filter {
                $0.key != place && ByteKey($0.value.device.login) == ByteKey(token.device.login)
            }
            guard environment.users[ByteKey(token.device.login)] != nil,
                others.count < max || guest != nil
            else { return false }
            var newest = others.sorted { ($1.value.at, $0.key) < ($0.value.at, $1.key) }.map(\.key)
            if let guest {
                let sources = environment.guestSources
                let excess = newest.filter { sources[$0] == guest.hash }.dropFirst(guest.max - 1)
                for place in excess { environment.pushTokens[place] = nil }
                newest.removeAll(where: excess.contains)
            }
            for place in newest.dropFirst(max - 1) { environment.pushTokens[place] = nil }
            environment.pushTokens[place] = token
            environment.guestSources[place] = guest?.hash
            return true
        }
    }

    package func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) throws(StoreError) {
        try write(in: environment) { environment in
            let place = PushTokenSortKey(
                PushTokenKey(deviceIdentifier: device.deviceIdentifier, type: type))
            guard let token = environment.pushTokens[place],
                ByteKey(token.device.login) == ByteKey(device.login),
                text.map({ ByteKey($0) == ByteKey(token.text) }) ?? true
            else { return }
            environment.pushTokens[place] = nil
        }
    }

    package func pushTokens(_ query: PushTokenQuery) throws(StoreError) -> [HeldPushToken] {
        let environment = try read(query.environment)
        let after = query.after.map(PushTokenSortKey.init)
        let types = query.types.map { Set($0.map(ByteKey.init)) }
        let wanted = environment.pushTokens.filter { place, _ in
            after.map { $0 < place } ?? true && types?.contains(place.type) ?? true
        }
        let held = wanted.sorted { $0.key < $1.key }
            .compactMap { environment.held($0.value, by: query.audience) }
        return Array(held.prefix(query.limit))
    }

    package func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) throws(StoreError) -> [String: Int] {
        let environment = try read(environment)
        return environment.pushTokens.values
            .compactMap { environment.held($0, by: audience)?.token.type }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    package func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        keeping max: StoredAmount, waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) throws(StoreError) -> NotificationAdmission {
        try write(in: environment) { environment in
            let own = environment.notifications.filter {
                ByteKey($0.content.sender) == ByteKey(notification.sender)
            }
            if let earlier = own.first(where: { ByteKey($0.content.id) == ByteKey(notification.id) }
            ) {
                return .repeated(earlier)
            }
            let start = notification.at.adding(seconds: -windowSeconds)
            let recent = own.map(\.content.at).filter { $0 > start && $0 <= notification.at }
            let wait = waiting(RecentSendings(count: recent.count, first: recent.min()))
            guard wait == 0 else { return .wait(seconds: wait) }
            let bytes = own.reduce(0) { $0 + $1.content.storedBytes }
            guard StoredAmount(rows: own.count, bytes: bytes).isBelow(max) else { return .full }
            environment.lastNotification += 1
            let stored = StoredNotification(
                number: environment.lastNotification, content: notification)
            environment.notifications.append(stored)
            return .added(stored)
        }
    }

    package func lastNotification(in environment: EnvironmentID) throws(StoreError) -> Int64 {
        try read(environment).lastNotification
    }

    package func notifications(_ query: NotificationQuery) throws(StoreError) -> NotificationPage {
        let later = try read(query.environment).notifications
            .filter { $0.number > query.after }
        var found: [StoredNotification] = []
        var through = query.after
        for stored in later.prefix(query.maxScanned) where found.count < query.limit {
            through = stored.number
            if stored.content.audience.includes(query.reader) { found.append(stored) }
        }
        let hasMore = through < (later.last?.number ?? through)
        return NotificationPage(notifications: found, through: through, hasMore: hasMore)
    }

    package func claimNotification(
        _ claim: DeliveryClaim, in environment: EnvironmentID, sentSince moment: Instant
    ) throws(StoreError) -> NotificationClaim {
        try write(in: environment) { environment in
            guard !claim.yields(to: environment.delivery) else { return .taken }
            let next = environment.notifications.first {
                $0.number > environment.lastDelivered && $0.content.at >= moment
            }
            guard let next else {
                environment.lastDelivered = environment.lastNotification
                environment.delivery = nil
                return .nonePending
            }
            let delivery = ClaimedDelivery(
                of: next.number, by: claim, after: environment.delivery)
            environment.delivery = delivery
            return .claimed(next, after: delivery.token)
        }
    }

    package func extendClaim(
        _ claim: DeliveryClaim, of number: Int64, through token: PushTokenKey,
        in environment: EnvironmentID
    ) throws(StoreError) -> Bool {
        try write(in: environment) { environment in
            guard environment.delivery?.isOf(number, by: claim.claimant) == true else {
                return false
            }
            environment.delivery?.expiresAt = claim.expiresAt
            environment.delivery?.token = token
            return true
        }
    }

    package func endDelivery(
        of number: Int64, by claimant: String, in environment: EnvironmentID
    ) throws(StoreError) {
        try write(in: environment) { environment in
            guard environment.delivery?.isOf(number, by: claimant) == true else { return }
            environment.lastDelivered = number
            environment.delivery = nil
        }
    }

    package func sweepNotifications(_ request: SweepRequest) throws(StoreError) -> Int {
        try write(in: request.environment) { environment in
            let old = environment.notifications.filter { $0.content.at < request.before }
                .sorted { ($0.content.at, $0.number) < ($1.content.at, $1.number) }
                .prefix(request.limit)
            let numbers = Set(old.map(\.number))
            environment.notifications.removeAll { numbers.contains($0.number) }
            return numbers.count
        }
    }
}

extension Environment {
    mutating func forgetPushTokens(of login: String) {
        pushTokens = pushTokens.filter { ByteKey($0.value.device.login) != ByteKey(login) }
    }

    /// Returns nil if the token's user is not in the audience.
    fileprivate func held(
        _ token: PushToken, by audience: NotificationAudience
    ) -> HeldPushToken? {
        guard let user = users[ByteKey(token.device.login)] else { return nil }
        let reader = NotificationReader(
            login: user.login, group: user.group, deviceCategory: token.deviceCategory)
        return audience.includes(reader) ? HeldPushToken(token: token, group: user.group) : nil
    }
}

extension NewNotification {
    /// The bytes of body and audience.
    fileprivate var storedBytes: Int {
        body.utf8.count + (audience.logins ?? []).reduce(0) { $0 + $1.utf8.count }
    }
}
