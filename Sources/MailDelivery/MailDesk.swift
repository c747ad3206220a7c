package import SyncEngine
import Synchronization
package import UserAccounts

/// Mails that wait to be sent, in memory: their codes must not be stored anywhere.
///
/// A mail that its server does not take is tried again a few times. When the process ends, the
/// mails that wait are lost, and people ask again.
package final class MailDesk: Sendable {
    /// Something to be mailed.
    package enum Order: Hashable, Sendable {
        case mail(Mail)
        /// A user, or somebody else, has asked for a reset of the user's password.
        case reset(login: String, environment: String)
    }

    /// Told what became of a mail, for the log.
    package enum Event: Hashable, Sendable {
        case sent(attempts: Int)
        case failed(MailFailure, attempts: Int)
        case unanswered(reason: String)
    }

    package let texts: MailTexts
    private let sender: MailSender
    private let waitingSeconds: [Int]
    private let orders: AsyncStream<Order>
    private let adding: AsyncStream<Order>.Continuation
    private let count = Atomic(0)

    /// The mails that wait, or are being sent.
    package static let maxCount = 1000
    /// The waits before a mail is tried again.
    package static let retrySeconds = [1, 15, 60, 300]

    package init(
        _ sender: MailSender, texts: MailTexts, retryingAfter seconds: [Int] = MailDesk.retrySeconds
    ) {
        self.sender = sender
        self.texts = texts
        waitingSeconds = seconds
        (orders, adding) = AsyncStream.makeStream()
    }

    /// Returns false if too many are waiting.
    package func add(_ order: Order) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= Self.maxCount else {
            count.subtract(1, ordering: .relaxed)
            return false
        }
        adding.yield(order)
        return true
    }

    /// Sends what is added until the task is cancelled.
    ///
    /// - Parameter accounts: The accounts of an environment; nil if there is none of this name.
    package func run(
        accounts: @escaping @Sendable (_ environment: String) async throws -> AccountEngine?,
        at now: @escaping @Sendable () -> Instant,
        telling tell: @escaping @Sendable (Event) -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for await order in orders {
                group.addTask { [self] in
                    if let mail = await mail(for: order, accounts, now, tell) {
                        await send(mail, now, tell)
                    }
                    count.subtract(1, ordering: .relaxed)
                }
            }
        }
    }

    /// Nil if nothing is to be sent: the outside does not learn why.
    private func mail(
        for order: Order,
        _ accounts: @Sendable (_ environment: String) async throws -> AccountEngine?,
        _ now: @Sendable () -> Instant, _ tell: @Sendable (Event) -> Void
    ) async -> Mail? {
        switch order {
        case .mail(let mail): return mail
        case .reset(let login, let environment):
            do {
                guard let accounts = try await accounts(environment) else { return nil }
                return try await texts.reset(of: login, in: accounts, at: now())
            } catch {
                tell(.unanswered(reason: "\(error)"))
                return nil
            }
        }
    }

    private func send(
        _ mail: Mail, _ now: @Sendable () -> Instant, _ tell: @Sendable (Event) -> Void
    ) async {
        for attempt in 0...waitingSeconds.count {
            do throws(MailFailure) {
                try await sender.send(mail, at: now())
                return tell(.sent(attempts: attempt + 1))
            } catch {
                guard error.isTemporary, attempt < waitingSeconds.count,
                    (try? await Task.sleep(for: .seconds(waitingSeconds[attempt])))
                        != nil
                else { return tell(.failed(error, attempts: attempt + 1)) }
            }
        }
    }
}
