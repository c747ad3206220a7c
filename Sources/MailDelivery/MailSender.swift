import Queues
package import SyncEngine

/// Sends mails to a server, one at a time, on a thread of its own: libcurl blocks.
package actor MailSender {
    private nonisolated let thread = WorkerThread(label: "waggle.mail")
    private let server: MailServer

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    package init(_ server: MailServer) { self.server = server }

    /// The time for one mail.
    package static let timeoutSeconds = 30

    /// Throws if the server did not take the mail. It may have taken it all the same if the
    /// connection broke.
    package func send(_ mail: Mail, at now: Instant) throws(MailFailure) {
        let message = mail.message(from: server.sender, at: now)
        try SMTPCall(server: server, recipient: mail.recipient).send(message)
    }
}
