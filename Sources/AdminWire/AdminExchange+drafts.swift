import Administration
import DefinitionModel
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
        guard let file = desk.file else { return .json(.array(drafts.map { $0.json(file: nil) })) }
        let first = file.draft(try file.contents()).json(file: file.path)
        let others = drafts.filter { $0.name != file.name }.map { $0.json(file: nil) }
        return .json(.array([first] + others))
    }

    func showDraft() async throws -> Response {
        let name = try draftName()
        guard let (draft, source) = try await draft(name) else {
            throw HTTPFailure.draftUnknown(name)
        }
        guard case .object(var members) = draft.json(file: path(of: name)) else {
            throw HTTPFailure.notJSON()
        }
        members["xml"] = .string(String(decoding: source, as: UTF8.self))
        return .json(.object(members), tag: draft.revision)
    }

    /// Writes a draft whose revision is the one in `If-Match`; without the header, a new one.
    func writeDraft() async throws -> Response {
        let name = try draftName()
        let xml = body.text("xml")
        let base = try baseRevision()
        if let file = desk.file, file.name == name {
            return try await write(xml, to: file, base: base)
        }
        let draft = WrittenDraft(
            name: name, source: Array(xml.utf8), author: actor, writtenAt: now,
            base: base)
        try await log(draft)
        let isWritten = try await storing { () async throws(StoreError) in
            try await desk.store.write(draft, upTo: AdministrationLimits.drafts)
        }
        guard isWritten else {
            let present = try await self.draft(name)?.0
            guard draft.base == 0, present == nil else { throw HTTPFailure.draftStale(present) }
            throw HTTPFailure.draftsFull()
        }
        try await tellDesigners(of: name)
        return .json(draft.stored.json(file: nil), tag: draft.stored.revision)
    }

    /// Designers write every second while they type: of the writes of one author, the first in each
    /// hour is logged.
    private func log(_ draft: WrittenDraft) async throws {
        let hour = { (moment: Instant) in moment.milliseconds / 3_600_000 }
        let former = try await self.draft(draft.name)?.0
        if let former, former.author.hasSameBytes(as: actor), hour(former.changedAt) == hour(now) {
            return
        }
        try await log(
            target: draft.name, before: former?.json(file: nil),
            after: draft.stored.json(file: nil))
    }

    /// Writes the file of a definition, unless it has changed since the base.
    private func write(_ xml: String, to file: DraftFile, base: Int64) async throws -> Response {
        try await log(target: file.path)
        guard let written = try file.replace(base, with: Array(xml.utf8), at: now) else {
            throw HTTPFailure.fileStale(file.path, try file.contents())
        }
        try await tellDesigners(of: file.name)
        return .json(file.draft(written).json(file: file.path), tag: written.revision)
    }

    func removeDraft() async throws -> Response {
        let name = try draftName()
        if path(of: name) != nil { throw HTTPFailure.draftIsFile() }
        try await log(target: name)
        let isRemoved = try await storing { () async throws(StoreError) in
            try await desk.store.removeDraft(named: name)
        }
        guard isRemoved else { throw HTTPFailure.draftUnknown(name) }
        return Response(status: .noContent)
    }

    /// Tells those who design a draft that it was written.
    private func tellDesigners(of draft: String) async throws {
        try await storing { () async throws(StoreError) in
            try await desk.presence.tell(at: draft)
        }
    }

    /// The path of the file that the draft is; nil for a stored one.
    private func path(of name: String) -> String? {
        desk.file.flatMap { $0.name == name ? $0.path : nil }
    }

    func draft(_ name: String) async throws -> (StoredDraft, source: [UInt8])? {
        if let file = desk.file, file.name == name {
            let contents = try file.contents()
            return (file.draft(contents), contents.bytes)
        }
        return try await storing { () async throws(StoreError) in
            try await desk.store.draft(named: name)
        }
    }

    func draftName() throws -> String {
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

extension DraftFile {
    func draft(_ contents: FileContents) -> StoredDraft {
        StoredDraft(
            name: name, revision: contents.revision, author: "", changedAt: contents.changedAt,
            size: contents.bytes.count)
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

    fileprivate static func fileStale(
        _ path: String, _ present: FileContents
    ) -> HTTPFailure {
        HTTPFailure(
            .preconditionFailed, "draftStale", "the file '\(path)' was changed meanwhile",
            help: "load it, and make the change again; nothing was overwritten",
            details: ["revision": "\(present.revision)"])
    }

    fileprivate static func draftIsFile() -> HTTPFailure {
        HTTPFailure(
            .conflict, "draftIsFile", "the draft is a file",
            help: "remove the file, and serve without it")
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
