import ChangeRules
import DefinitionModel
import ForeignValues
import HTTPTypes
import Hummingbird
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// The values that a client has seen of a row that it changes.
extension AzureCall {
    struct SeenFields: Sendable {
        /// As far as the rights of now show them.
        var values: [String: JSONValue]
        /// The version that the client has seen.
        let read: ReadRevision
    }

    /// The fields that the row showed at the version that the client has seen, as far as the
    /// history tells.
    func seenFields(
        of row: FoundView, at condition: RowCondition, in table: Table, for caller: Caller
    ) async throws -> SeenFields {
        var fields = row.record.fields ?? [:]
        let base = condition.base(for: row)
        guard base > 0, base < row.record.revision else {
            return SeenFields(
                values: fields, read: ReadRevision(base, of: row, earliest: row.changedAt))
        }
        let engine = engine.taking(exchange.turns(for: caller))
        var (cursor, earliest): (String?, _) = (nil, row.createdAt)
        repeat {
            try exchange.checkGoesOn()
            let page = try await engine.history(
                of: row.record.guid, model: table.model.name, cursor: cursor,
                limit: engine.limits.pageRecords, for: caller)
            let unseen = page.entries.prefix { $0.revision > base }
            for entry in unseen {
                for (name, value) in entry.before ?? [:] where fields[name] != nil {
                    fields[name] = value
                }
            }
            if unseen.count < page.entries.count {
                earliest = max(earliest, page.entries[unseen.count].at)
            }
            cursor = unseen.count == page.entries.count ? page.cursor : nil
        } while cursor != nil
        return SeenFields(values: fields, read: ReadRevision(base, of: row, earliest: earliest))
    }

    // MARK: - Rows that are gone

    /// The answer to a repeated change of a row that is gone by now. Clients store it: each of them
    /// is told that the row is deleted, asked for or not.
    func answerGone(
        _ row: FoundView, of table: Table, status: HTTPResponse.Status = .ok, for caller: Caller
    ) async throws -> Response {
        let asked = try TableQuestion(parameters, dialect).properties
        let shape = RowShape(
            table, dialect, properties: asked.union([.deleted]), omitsNull: traits.omitsDefaults)
        return try await answer(row, of: table, shape, status: status, for: caller)
    }

    /// A row that the client has inserted and does not see any more, as pulls tell it.
    func departed(_ record: RecordID, _ id: String, of table: Table) -> FoundView {
        FoundView(
            record: RecordView(
                model: table.model.name, guid: record.guid, revision: 1, owner: "", group: "",
                isDeleted: true, isConflicted: false, fields: nil),
            id: id, createdAt: exchange.now, changedAt: exchange.now)
    }

    // MARK: - Edits

    /// The edit without the columns that the client does not mean to change: those that it empties
    /// only because it may not have seen their values, those to which it gives an id that it may
    /// have seen, and those that are hidden by now. With those that it left out and means.
    func meant(
        _ sent: RowEdit, from seen: SeenFields, of row: FoundView, in table: Table,
        for caller: Caller, guid: (_ id: String, _ model: String) -> String?
    ) async throws -> RowEdit {
        let emptied = table.model.fields.map(\.name).filter { name in
            guard let shown = seen.values[name], shown != .null else { return false }
            return sent.values[name].map { $0 == .null } ?? leavesOutDefaults
        }
        var unmeant = try await relationsPerhapsUnchanged(
            sent, from: seen.values, of: row, in: table, for: caller, guid: guid)
        unmeant += try await hiddenColumns(
            thatStayIn: sent, from: seen, in: table, for: caller, guid: guid)
        if !emptied.isEmpty {
            unmeant += try await engine.fieldsPerhapsHidden(
                emptied, of: table.model.name, at: seen.read, from: caller)
        }
        var (edit, values) = (sent, seen.values)
        for name in unmeant {
            edit.values[name] = nil
            values[name] = nil
        }
        if leavesOutDefaults {
            edit.addOmitted(
                replacing: values, in: table,
                where: settable(in: row.record, of: table, for: caller))
        }
        return edit
    }

    /// The columns that the row does not show any more, because a right or the column itself is
    /// gone, and that an edit leaves as the row showed them to the user at this version: the client
    /// has had them since before.
    func hiddenColumns(
        thatStayIn edit: RowEdit, from seen: SeenFields, in table: Table, for caller: Caller,
        guid: (_ id: String, _ model: String) -> String?
    ) async throws -> [String] {
        let given = table.model.fields.map(\.name).filter { name in
            edit.values[name] ?? .null != .null
                && (seen.values[name] == nil || !engine.serves(name, of: table.model.name))
        }
        guard !given.isEmpty else { return [] }
        let shown = try await engine.valuesOnceShown(
            given, of: table.model.name, at: seen.read, to: caller)
        let changes = edit.changes(from: shown, in: table, guid: guid)
        return shown.keys.filter { changes[$0] == nil }
    }
}
