package import ChangeRules
import DefinitionModel
package import JSON
import SyncEngine
import WholeRecordSync

/// A client like the original ones: it sends whole records and knows no revisions.
package struct OldClient {
    package let person: Person
    package var records: [String: Held] = [:]
    private var sendings = 0

    package struct Held: Hashable {
        package var model: String
        /// Every field that it knows; null for an invisible one.
        package var fields: [String: JSONValue]
        package var isDeleted = false
        /// Since the record was sent.
        package var isModified = true
        package var isConflicted = false
        package var resolves = false
    }

    /// The message of a synchronization that is lost.
    package enum Loss: CaseIterable {
        case nothing
        /// The upload was imported, and its ticket is lost.
        case ticket
        /// The download is lost.
        case data
        case confirmation
    }

    package init(_ person: Person) { self.person = person }

    package mutating func add(
        _ number: Int, model: String = "Note", _ fields: [String: JSONValue]
    ) {
        let names = person.bench.engine.rules.model(named: model)?.model.fields.map(\.name) ?? []
        let all = Dictionary(uniqueKeysWithValues: names.map { ($0, fields[$0] ?? .null) })
        records[guid(number)] = Held(model: model, fields: all)
    }

    package mutating func set(
        _ number: Int, _ fields: [String: JSONValue], resolves: Bool = false
    ) {
        records[guid(number)]?.fields.merge(fields) { $1 }
        records[guid(number)]?.isModified = true
        records[guid(number)]?.resolves = resolves
    }

    package mutating func remove(_ number: Int, resolves: Bool = false) {
        records[guid(number)]?.isDeleted = true
        records[guid(number)]?.isModified = true
        records[guid(number)]?.resolves = resolves
    }

    /// The record as the client shows it.
    package subscript(number: Int) -> Held? { records[guid(number)] }
}

extension OldClient {
    /// Returns the outcomes of what it sent. If something was refused and not kept, no record is
    /// marked as sent.
    ///
    /// Edits made in `meanwhile`, while the download arrives, are sent the next time. A download
    /// does not overwrite them unless the client starts over.
    @discardableResult
    package mutating func sync(
        startingOver: Bool = false, losing loss: Loss = .nothing,
        meanwhile: (inout OldClient) -> Void = { _ in }
    ) async throws -> [Outcome] {
        let engine = TicketEngine(engine: person.bench.engine, store: person.bench.store)
        let sent = records.filter(\.value.isModified)
        let pushed = try await engine.push(
            whole(sent), from: try await person.caller(), at: Instant(milliseconds: 1000))
        let outcomes = pushed.outcomes
        for guid in sent.keys { records[guid]?.isModified = false }
        var isTaken = false
        defer {
            if !isTaken {
                for guid in sent.keys { records[guid]?.isModified = true }
            }
        }
        meanwhile(&self)
        guard pushed.unkept.isEmpty,
            let pages = try await answer(by: engine, startingOver, losing: loss)
        else { return outcomes }
        isTaken = true
        if startingOver { records = [:] }
        for guid in sent.keys where records[guid]?.isModified == false {
            records[guid]?.resolves = false
        }
        for page in pages { take(page) }
        guard loss != .confirmation else { return outcomes }
        try await engine.confirm(ticket, by: try await person.caller())
        return outcomes
    }

    private var ticket: String { "ticket-\(sendings)" }

    /// Nil if the message is lost.
    private func answer(
        by engine: TicketEngine, _ startsOver: Bool, losing loss: Loss
    ) async throws -> [DeliveredPage]? {
        guard loss != .ticket else { return nil }
        let caller = try await person.caller()
        try await engine.open(ticket, startsOver: startsOver, rejection: nil, for: caller)
        guard try await engine.rejection(of: ticket, for: caller) == nil else {
            throw BenchFailure("'\(ticket)' was rejected")
        }
        var pages: [DeliveredPage] = []
        try await engine.deliver(ticket, to: caller) { pages.append($0) }
        return loss == .data ? nil : pages
    }

    private mutating func whole(_ held: [String: Held]) -> [FullRecord] {
        held.sorted { $0.key < $1.key }.map { guid, record in
            sendings += 1
            let model = person.bench.engine.rules.model(named: record.model)
            return FullRecord(
                id: "sending-\(sendings)", model: record.model, guid: guid,
                isDeleted: record.isDeleted, resolves: record.resolves,
                fields: Dictionary(
                    uniqueKeysWithValues: record.fields.map { name, json in
                        (name, given(json, model?.field(named: name)))
                    }))
        }
    }

    private func given(_ json: JSONValue, _ field: Field?) -> GivenValue {
        if json == .null { return .null }
        return field.flatMap { FieldValue(json, of: $0.type.name) }.map { .value($0) }
            ?? .unreadable
    }

    private mutating func take(_ page: DeliveredPage) {
        for record in page.records where records[record.view.guid]?.isModified != true {
            let view = record.view
            let isGone = view.isDeleted && !view.isConflicted
            guard !isGone else {
                records[view.guid] = nil
                continue
            }
            if record.isDisputedHere {
                records[view.guid]?.isConflicted = true
                continue
            }
            let names = person.bench.engine.rules.model(named: view.model)?.model.fields
                .map(\.name)
            let fields = (names ?? []).map { ($0, view.fields?[$0] ?? .null) }
            records[view.guid] = Held(
                model: view.model, fields: Dictionary(uniqueKeysWithValues: fields),
                isDeleted: view.isDeleted, isModified: false, isConflicted: view.isConflicted)
        }
        for dropped in page.dropped where records[dropped.guid]?.isModified != true {
            records[dropped.guid] = nil
        }
    }
}
