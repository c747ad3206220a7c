import Administration
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import SyncEngine
import SyncServer

/// Occasions of a draft as Server-Sent Events: who designs it, and that somebody has written it.
extension AdminExchange {
    /// Streams events until the session or the connection ends, or the server stops. The first two
    /// events are the present state. A draft that does not exist has the revision 0.
    func followDraft() async throws -> Response {
        let name = try draftName()
        let subscription = try host.streams.enter("operator \(actor)", in: nil)
        let draftSubscription = desk.presence.enter(actor, at: name) { subscription.signal() }
        return eventStream(until: subscription) { writer in
            do {
                try await sendEvents(of: name, &writer, until: subscription)
            } catch {
                await leave(draftSubscription)
                throw error
            }
            await leave(draftSubscription)
        }
    }

    private func leave(_ draftSubscription: DraftSubscription) async {
        do throws(StoreError) {
            try await draftSubscription.leave()
        } catch {
            context.logger.warning(
                "other servers learn late that a designer has left",
                metadata: ["cause": "\(error)"])
        }
    }

    private func sendEvents(
        of draft: String, _ writer: inout any ResponseBodyWriter,
        until subscription: LiveSubscription
    ) async throws {
        var told = ToldDraft()
        subscription.signal()
        for await _ in subscription.signals {
            guard let text = try await events(of: draft, since: &told) else { break }
            try await writer.write(ByteBuffer(string: text))
            try await context.pace()
        }
        try await writer.finish(nil)
    }

    /// The text of what is new, a comment if nothing is; nil at the end.
    private func events(of draft: String, since told: inout ToldDraft) async throws -> String? {
        guard try await mayListen(in: nil) else { return nil }
        try await storing { () async throws(StoreError) in
            try await desk.presence.renew(at: draft)
        }
        var text = ""
        let names = desk.presence.names(at: draft)
        if told.names != names {
            told.names = names
            text += event("designers", ["names": .array(names.map { .string($0) })])
        }
        let present = try await self.draft(draft)?.0
        if told.revision != present?.revision ?? 0 {
            told.revision = present?.revision ?? 0
            text += event(
                "draft",
                [
                    "revision": .integer(present?.revision ?? 0),
                    "author": .string(present?.author ?? ""),
                ])
        }
        return text.isEmpty ? ":\n\n" : text
    }
}

/// The state that a stream of events of a draft has told.
private struct ToldDraft {
    var names: [String]?
    var revision: Int64?
}
