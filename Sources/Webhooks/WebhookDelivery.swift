import HTTPCalls
import NativeCalls
package import Notifications
import SyncEngine
import SyncProtocol

/// Delivers notifications to devices whose token has the type `http` and is a URL that the operator
/// allows: each notification is sent with POST.
///
/// Only URLs with an allowed prefix are called, and redirects are not followed. A token whose
/// server answers 404 or 410 is deleted.
package final class WebhookDelivery: NotificationDelivery {
    /// Empty if no URL is allowed.
    package let deviceTypes: Set<String>
    /// One element for all announcements since the last element.
    package let announcements: AsyncStream<Void>
    private let announcing: AsyncStream<Void>.Continuation
    private let prefixes: [WebhookURLPrefix]
    private let caller: HTTPCaller
    /// The maximum number of concurrent calls.
    private let maxAtOnce: Int

    /// The timeout applies to a whole call. Notifications that were stored before are announced at
    /// once.
    package init(prefixes: [WebhookURLPrefix], timeoutSeconds: Int = 5, maxAtOnce: Int = 16) {
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

    private func address(of token: PushToken) -> WebhookURL? {
        guard let address = WebhookURL(token.text),
            prefixes.contains(where: { $0.covers(address) })
        else { return nil }
        return address
    }

    private func call(
        _ token: PushToken, about notification: StoredNotification
    ) async -> DeliveryResult {
        guard let address = address(of: token) else {
            return .failed("the token is not an allowed webhook URL")
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
            // The details may contain the URL.
            return .failed("\(address.origin) did not answer: \(failure.reason)")
        } catch {
            return .failed("the notification cannot be read: \(error)")
        }
    }
}
