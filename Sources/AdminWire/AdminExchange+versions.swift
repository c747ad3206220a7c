import Administration
import DefinitionCompiler
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import SyncEngine
import SyncServer

/// Versions, and definitions that are not stored.
extension AdminExchange {
    func listVersions() async throws -> Response {
        let page = try AdminPage(request)
        let last = try page.number()
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.catalog(before: last, limit: page.limit)
        }
        return page.answer(found.map { ($0.json, "\($0.number)") })
    }

    func importVersion() async throws -> Response {
        let xml = body.text("xml")
        let definition = try definition(sent: xml)
        try checkLabels()
        let version = EnvironmentVersion(
            digest: definition.digest, fingerprint: definition.fingerprint,
            source: Array(xml.utf8), deployedAt: now, sequence: nil, author: actor,
            application: definition.applicationName)
        let present = try await storing { () async throws(StoreError) in
            try await desk.store.catalogVersion(equalTo: version)
        }
        try await checkTag(otherThan: present?.number)
        if let present { try checkMayReplaceLabels(of: present) } else { try await checkRoom() }
        try await log(target: definition.fingerprint, before: present?.json, after: labels)
        let number = try await storing { () async throws(StoreError) in
            try await desk.store.addToCatalog(version)
        }
        try await label(number)
        return .json(try await catalogVersion("\(number)").json, status: .created)
    }

    /// Throws `tagTaken` if another version has the tag of the request.
    private func checkTag(otherThan number: Int64?) async throws {
        let tag = body.text("tag")
        let holder = try await storing { () async throws(StoreError) in
            try await desk.store.holder(ofTag: tag, otherThan: number)
        }
        if let holder { throw HTTPFailure.tagTaken(tag, by: holder) }
    }

    /// Versions are numbered from 1 and never removed, so the last number is their count.
    private func checkRoom() async throws {
        let last = try await storing { () async throws(StoreError) in
            try await desk.store.catalog(before: nil, limit: 1).first?.number ?? 0
        }
        guard last < AdministrationLimits.versions else { throw HTTPFailure.versionsFull() }
    }

    func showVersion() async throws -> Response {
        .json(try await catalogVersion(try context.pathPart("version")).json)
    }

    func labelVersion() async throws -> Response {
        let version = try await catalogVersion(try context.pathPart("version"))
        try checkLabels()
        try checkMayReplaceLabels(of: version)
        try await log(target: "\(version.number)", before: version.json, after: labels)
        try await label(version.number)
        return .json(try await catalogVersion("\(version.number)").json)
    }

    /// Tags choose the versions of clients: taking one away from its version changes what
    /// production answers. Another version gets it only then. An import of a version that is there
    /// already must not be a way around this.
    private func checkMayReplaceLabels(of version: CatalogVersion) throws {
        func isReplaced(_ present: String, by name: String) -> Bool {
            guard !present.isEmpty, let new = body.optionalText(name) else { return false }
            return !new.hasSameBytes(as: present)
        }
        do throws(AdminRefusal) {
            if isReplaced(version.tag, by: "tag") {
                try AdminAccess.designersAgain.decide(caller, in: nil, at: now)
            }
            if isReplaced(version.note, by: "note") {
                try AdminAccess.designers.decide(caller, in: nil, at: now)
            }
        } catch {
            throw HTTPFailure(error)
        }
    }

    func showSource() async throws -> Response {
        let bytes = try await source(ofVersion: try context.pathPart("version"))
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/xml", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The document of the environment's definition, or of another version of the application: its
    /// clients are answered in their words. A token of the environment gets no other application.
    func showNativeInterface() async throws -> Response {
        let present = try await environment().definition
        guard let name = try request.queryValue("version") else {
            return .json(nativeInterface(of: present))
        }
        let version = try definition(stored: try await source(ofVersion: name))
        guard version.vendor.hasSameBytes(as: present.vendor),
            version.application.hasSameBytes(as: present.application)
        else { throw HTTPFailure.versionUnknown(name) }
        return .json(nativeInterface(of: version))
    }

    func checkDefinition() throws -> Response {
        let source = SourceFile(name: "application.xml", bytes: Array(body.text("xml").utf8))
        let report = CheckReport(
            documents: [CheckReport.Document(source: source, compilation: compile(source))],
            unreadable: [])
        return .json(bytes: renderAsJSON(report).utf8)
    }

    func diff() async throws -> Response {
        let old = try await comparand(body.part("old"))
        let new = try await comparand(body.part("new"))
        let history = try await storing { () async throws(StoreError) in
            try await desk.store.history(
                from: ComparedVersion(old.source, old.definition),
                to: ComparedVersion(new.source, new.definition))
        }
        // Not kept: pages need the definitions of now, and a comparison all that ever were.
        let followed = try await host.work.compute(ofBody: history?.bytes ?? 0, on: context) {
            history?.followed { recompile(SourceFile(name: "", bytes: $0)).definition }
                ?? new.definition
        }
        return .json(try compared(old.definition, followed, (old: old.name, new: new.name)))
    }

    private func comparand(
        _ part: AdminBody
    ) async throws -> (name: String, source: [UInt8], definition: Definition) {
        switch (part.optionalText("version"), part.optionalText("xml")) {
        case (let name?, nil):
            let source = try await source(ofVersion: name)
            return ("version \(name)", source, try definition(stored: source))
        case (nil, let xml?):
            let sent = try await host.work.compute(ofBody: xml.utf8.count, on: context) {
                try definition(sent: xml)
            }
            return ("application.xml", Array(xml.utf8), sent)
        case (nil, nil), (.some, .some): throw HTTPFailure.definitionMissing()
        }
    }
}

extension AdminExchange {
    /// A version by number or tag. Throws `versionUnknown`.
    func catalogVersion(_ name: String) async throws -> CatalogVersion {
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.catalogVersion(named: name)
        }
        guard let found else { throw HTTPFailure.versionUnknown(name) }
        return found
    }

    func source(ofVersion name: String) async throws -> [UInt8] {
        let version = try await catalogVersion(name)
        let source = try await storing { () async throws(StoreError) in
            try await desk.store.catalogSource(version.number)
        }
        guard let source else { throw HTTPFailure.versionUnknown(name) }
        return source
    }

    private var labels: JSONValue {
        .object([
            "tag": JSONValue(text: body.optionalText("tag")),
            "note": JSONValue(text: body.optionalText("note")),
        ])
    }

    private func checkLabels() throws {
        let isLegal =
            isLegalLabel(tag: body.text("tag")) && isLegalLabel(note: body.text("note"))
        guard isLegal else { throw HTTPFailure.labelIllegal() }
    }

    private func label(_ number: Int64) async throws {
        let (tag, note) = (body.optionalText("tag"), body.optionalText("note"))
        guard tag != nil || note != nil else { return }
        let result = try await storing { () async throws(StoreError) in
            try await desk.store.label(number, tag: tag, note: note)
        }
        switch result {
        case .changed: return
        case .versionUnknown: throw HTTPFailure.versionUnknown("\(number)")
        case .tagTaken(let holder): throw HTTPFailure.tagTaken(tag ?? "", by: holder)
        }
    }
}
