import HTTPCalls
import NativeCalls
package import SyncEngine
import SyncProtocol

/// Tells devices whose token, of the type `http`, is a URL that the operator allows: it is sent
/// each notification in a POST.
///
/// Nothing is called that no prefix covers, and no redirect is followed. A server that answers 404
/// or 410 is not asked again.
package final class CallbackDelivery: NotificationDelivery {
    /// None where no URL is allowed.
    package let deviceTypes: Set<String>
    /// One of them for all that was announced since the last.
    package let announcements: AsyncStream<Void>
    private let announcing: AsyncStream<Void>.Continuation
    private let prefixes: [CallbackPrefix]
    private let caller: HTTPCaller
    /// Calls at a time at most.
    private let maxAtOnce: Int

    /// The timeout is for one call as a whole. What was stored while nobody listened is announced
    /// at once.
    package init(prefixes: [CallbackPrefix], timeoutSeconds: Int = 5, maxAtOnce: Int = 16) {
        self.prefixes = prefixes
        self.maxAtOnce = maxAtOnce
        deviceTypes = prefixes.isEmpty ? [] : ["http"]
        caller = HTTPCaller(
            HTTPLimits(
                answers: .status, totalSeconds: timeoutSeconds, idleSeconds: timeoutSeconds,
                calls: maxAtOnce))
        (announcements, announcing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        if !prefixes.isEmpty { announcing.yield() }
    }

    package func reaches(_ token: PushToken) -> Bool { address(of: token) != nil }

    package func announce() {
        if !prefixes.isEmpty { announcing.yield() }
    }

    package func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult] {
        await withTaskGroup(of: (Int, DeliveryResult).self) { group in
            var results = tokens.map { _ in DeliveryResult.failed("it was not called") }
            for (index, token) in tokens.enumerated() {
                if index >= maxAtOnce, let (done, result) = await group.next() {
                    results[done] = result
                }
                group.addTask { (index, await self.call(token, about: notification)) }
            }
            for await (index, result) in group { results[index] = result }
            return results
        }
    }

    private func address(of token: PushToken) -> CallbackAddress? {
        guard let address = CallbackAddress(token.text),
            prefixes.contains(where: { $0.covers(address) })
        else { return nil }
        return address
    }

    private func call(
        _ token: PushToken, about notification: StoredNotification
    ) async -> DeliveryResult {
        guard let address = address(of: token) else {
            return .failed("the token is no URL that callbacks may go to")
        }
        do {
            let body = NotificationMessage(try notification.view(for: token.device)).text
            let answer = try await caller.call(
                HTTPCall(
                    "POST", address.text, headers: ["Content-Type": "application/json"],
                    body: Array(body.utf8)))
            switch answer.status {
            case 200..<300: return .delivered
            case 404, 410: return .gone
            case let status: return .failed("\(address.origin) answered \(status)")
            }
        } catch let failure as HTTPCallFailure {
            // Its details may name the URL.
            return .failed("\(address.origin) did not answer: \(failure.reason)")
        } catch {
            return .failed("the notification cannot be read: \(error)")
        }
    }
}
