import Administration
import HTTPTypes
import Hummingbird
import JSON
import SyncEngine
import SyncServer

/// Drafts: definitions that operators are designing. The entity tag of a draft is its revision.
extension AdminExchange {
    func listDrafts() async throws -> Response {
        let drafts = try await storing { () async throws(StoreError) in
            try await desk.store.drafts()
        }
        return .json(.array(drafts.map(\.json)))
    }

    func showDraft() async throws -> Response {
        let name = try draftName()
        guard let (draft, source) = try await draft(name) else {
            throw HTTPFailure.draftUnknown(name)
        }
        guard case .object(var members) = draft.json else { throw HTTPFailure.notJSON() }
        members["xml"] = .string(String(decoding: source, as: UTF8.self))
        return .json(.object(members), tag: draft.revision)
    }

    /// Writes a draft whose revision is the one in `If-Match`; without the header, a new one.
    func writeDraft() async throws -> Response {
        let name = try draftName()
        let xml = body.text("xml")
        let draft = WrittenDraft(
            name: name, source: Array(xml.utf8), author: actor, writtenAt: now,
            base: try baseRevision())
        if draft.base == 0 { try await log(target: name) }
        let isWritten = try await storing { () async throws(StoreError) in
            try await desk.store.write(draft, upTo: AdministrationLimits.drafts)
        }
        guard isWritten else {
            let present = try await self.draft(name)?.0
            guard draft.base == 0, present == nil else { throw HTTPFailure.draftStale(present) }
            throw HTTPFailure.draftsFull()
        }
        return .json(draft.stored.json, tag: draft.stored.revision)
    }

    func removeDraft() async throws -> Response {
        let name = try draftName()
        try await log(target: name)
        let isRemoved = try await storing { () async throws(StoreError) in
            try await desk.store.removeDraft(named: name)
        }
        guard isRemoved else { throw HTTPFailure.draftUnknown(name) }
        return Response(status: .noContent)
    }

    private func draft(
        _ name: String
    ) async throws(SyncError) -> (StoredDraft, source: [UInt8])? {
        try await storing { () async throws(StoreError) in
            try await desk.store.draft(named: name)
        }
    }

    private func draftName() throws -> String {
        let name = try context.pathPart("draft")
        guard StoredDraft.isLegal(name: name) else { throw HTTPFailure.draftNameIllegal(name) }
        return name
    }

    /// Zero without the header.
    private func baseRevision() throws -> Int64 {
        guard let text = request.header("if-match") else { return 0 }
        let digits = text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : ""
        guard let revision = Int64(digits), revision > 0 else {
            throw HTTPFailure.parameterIllegal("If-Match", "is no entity tag of a draft")
        }
        return revision
    }
}

extension Response {
    fileprivate static func json(_ value: JSONValue, tag: Int64) -> Response {
        var response = Response.json(value)
        response.headers[.eTag] = "\"\(tag)\""
        return response
    }
}

extension HTTPFailure {
    fileprivate static func draftUnknown(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "draftUnknown", "there is no draft '\(name)'",
            help: "look at the list of drafts")
    }

    fileprivate static func draftStale(_ present: StoredDraft?) -> HTTPFailure {
        HTTPFailure(
            .preconditionFailed, "draftStale",
            present.map { "'\($0.author)' has changed the draft meanwhile" }
                ?? "the draft was removed meanwhile",
            help: "load it, and make the change again; nothing was overwritten",
            details: present.map { ["author": $0.author, "revision": "\($0.revision)"] } ?? [:])
    }

    fileprivate static func draftsFull() -> HTTPFailure {
        HTTPFailure(
            .conflict, "administrationFull", "there are too many drafts",
            help: "remove some that nobody uses")
    }

    fileprivate static func draftNameIllegal(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "draftNameIllegal", "'\(name)' is not the name of a draft",
            help: "use 1 to 64 letters, digits and the characters . _ -")
    }
}
