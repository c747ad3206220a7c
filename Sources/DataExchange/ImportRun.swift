import ChangeRules
import DefinitionModel
import JSON
package import SyncEngine

/// Imports rows as changes of an operator, through the rules and limits of the engine.
///
/// A row with `$guid` or `$id` sets the values that it names: of the record with that id, or of a
/// new one. Rows are pushed in batches of at most 200 and about 1 MiB, in their order; each batch
/// is one transaction. A row that refers to a record of a later row is pushed again at the end,
/// after that row. Memory holds a batch and up to 10,000 of such rows, of 16 MiB, and in a trial
/// two numbers for each row and four for each unique value.
///
/// An import that was interrupted is run again with the same input: its changes have ids made from
/// the import's name, the line and its content, so rows that took effect do so once, for 30 days,
/// and for good where they created a record.
package struct ImportRun {
    let engine: Engine
    let options: ImportOptions
    private let now: Instant
    let report: (RowProblem) -> Void

    package internal(set) var summary = ImportSummary()
    private(set) var parser: RowParser
    private var batch: [ImportedRow] = []
    private var batchBytes = 0
    private var later = LaterRows()
    private var isEnding = false
    private var callers: [String: Caller] = [:]
    private(set) var trial = TrialMemory()

    static let maxRows = 200
    private static let outcomeSeconds: Int64 = 30 * 24 * 3600

    /// Throws `SyncError.find` if the definition has no such model or field. Rows that are not
    /// imported are passed to `report`.
    package init(
        _ options: ImportOptions, into engine: Engine, at now: Instant,
        reporting report: @escaping (RowProblem) -> Void
    ) throws(SyncError) {
        let definition = engine.rules.definition
        var model: Model?
        if let name = options.model {
            model = options.source.model(named: name, in: definition)
            if model == nil { throw .find(.modelUnknown(name)) }
        }
        self.engine = engine
        self.options = options
        self.now = now
        self.report = report
        parser = try RowParser(options, model: model, definition: definition)
    }

    /// Imports the rows that end in the chunk. Returns false if the header is wrong, so that
    /// nothing can be imported.
    package mutating func read(_ chunk: [UInt8]) async throws(SyncError) -> Bool {
        let items = parser.read(chunk)
        return try await take(items)
    }

    /// Imports the rest. Call this once, after the last chunk.
    package mutating func finish() async throws(SyncError) {
        let items = parser.finish()
        guard try await take(items) else { return }
        try await pushBatch()
        var count = 0
        // Rows that refer to each other may be in different batches at first.
        repeat {
            count = later.rows.count
            try await pushLater()
        } while later.rows.count < count
        isEnding = true
        try await pushLater()
    }

    private mutating func pushLater() async throws(SyncError) {
        var rows: [IdentifiedRow] = []
        for start in stride(from: 0, to: later.rows.count, by: Self.maxRows) {
            rows += try await identified(later.rows[start...].prefix(Self.maxRows))
        }
        later = LaterRows()
        for row in relatedFirst(rows) { try await add(row) }
        try await pushBatch()
    }

    func mayWait(_ row: ImportedRow) -> Bool {
        !isEnding && later.hasRoom(for: row, options.limits)
    }

    mutating func wait(_ row: ImportedRow, of guid: String) { later.append(row, of: guid) }

    mutating func take(_ items: [RowParser.Item]) async throws(SyncError) -> Bool {
        for item in items {
            switch item {
            case .row(let row):
                for kind in row.leftOut { summary.leftOut[kind, default: 0] += 1 }
                try await add(row)
            case .problem(let problem): refuse(problem)
            case .wrongHeader(let problems):
                for problem in problems { report(problem) }
                return false
            }
        }
        return true
    }

    mutating func refuse(_ problem: RowProblem) {
        summary.refused += 1
        report(problem)
    }

    private mutating func add(_ row: ImportedRow) async throws(SyncError) {
        batch.append(row)
        batchBytes += row.bytes
        if batch.count == Self.maxRows || batchBytes >= options.limits.batchBytes {
            try await pushBatch()
        }
    }
}

// MARK: - Batches

extension ImportRun {
    private mutating func pushBatch() async throws(SyncError) {
        var rest = batch[...]
        batch = []
        batchBytes = 0
        while !rest.isEmpty {
            // A later row of a record is planned on what an earlier one has made of it.
            var guids: Set<String> = []
            let rows = try await identified(rest).prefix { guids.insert($0.guid).inserted }
            rest = rest.dropFirst(rows.count)
            try await push(rows)
        }
    }

    /// Pushes rows of different records.
    private mutating func push(_ rows: ArraySlice<IdentifiedRow>) async throws(SyncError) {
        let present = try await records(of: rows)
        var group: [PlannedRow] = []
        for row in rows {
            if let problem = try await problem(ofProfile: row, present[row.guid]) {
                refuse(problem)
                continue
            }
            // A row does not overtake an earlier one of its record.
            if later.hasRecord(row.guid), mayWait(row.row) {
                wait(row.row, of: row.guid)
                continue
            }
            guard let planned = plan(row, present[row.guid]) else { continue }
            if let last = group.last, last.owner != planned.owner {
                try await push(group)
                group = []
            }
            group.append(planned)
        }
        try await push(group)
    }

    /// Returns nil if nothing is to be pushed.
    private mutating func plan(_ row: IdentifiedRow, _ record: RecordView?) -> PlannedRow? {
        if options.isTrial, isTaken(row) { return planTaken(row) }
        if options.isTrial, trial.hasRecord(row.guid, of: row.row.model.name) {
            return planTried(row)
        }
        let isGone = record.map { $0.isDeleted && !$0.isConflicted } ?? false
        guard let record, !isGone else {
            let isMade = !row.row.isDeleted || !isGone && isKnownToClients(row)
            return isMade ? planNew(row, record) : unchanged()
        }
        if row.row.isDeleted {
            return PlannedRow(
                row: row.row, change: change(.delete, row, base: record.revision, [:]), owner: nil,
                record: record)
        }
        // The record of a row that names none is that of an earlier run.
        guard row.namesRecord else { return repeated() }
        let fields = row.fields.filter {
            differs($1, record.fields?[$0]) && (!keepsValues || isUnrelated(record, by: $0, row))
        }
        guard !fields.isEmpty else { return unchanged() }
        return PlannedRow(
            row: row.row, change: change(.update, row, base: record.revision, fields), owner: nil,
            record: record)
    }

    /// - Parameter record: One that is deleted.
    private mutating func planNew(_ row: IdentifiedRow, _ record: RecordView?) -> PlannedRow? {
        let owner = row.row.owner ?? options.owner
        guard owner != nil else {
            refuse(
                .row(
                    row.row.line, "ownerMissing",
                    "a new record belongs to a user, name the login in '$owner'"))
            return nil
        }
        return PlannedRow(
            row: row.row, change: change(.create, row, base: nil, row.fields), owner: owner,
            record: record)
    }

    /// Whether clients of the old service may hold the record of a deleted row. It is created and
    /// deleted, so that they hear of the deletion, and its id stays taken.
    private func isKnownToClients(_ row: IdentifiedRow) -> Bool {
        options.source == .azure && row.namesRecord
    }

    /// Whether the guid is that of a record which an earlier row of the trial has deleted, or has
    /// made of another model.
    private func isTaken(_ row: IdentifiedRow) -> Bool {
        trial.hasDeleted(row.guid)
            || trial.hasRecord(row.guid, ofOtherModelThan: row.row.model.name)
    }

    private mutating func planTaken(_ row: IdentifiedRow) -> PlannedRow? {
        guard !row.row.isDeleted else { return unchanged() }
        refuse(.taken(row.row, byDeleted: trial.hasDeleted(row.guid)))
        return nil
    }

    /// Plans a row of a record that an earlier row of the trial has made, and that is not stored:
    /// an update is checked as the creation of a record with its values alone.
    private mutating func planTried(_ row: IdentifiedRow) -> PlannedRow? {
        guard row.row.isDeleted else {
            return PlannedRow(
                row: row.row, change: change(.create, row, base: nil, row.fields),
                owner: trial.owner, isTriedUpdate: true)
        }
        accept(PlannedRow(row: row.row, change: change(.delete, row, base: nil, [:]), owner: nil))
        return nil
    }

    private mutating func unchanged() -> PlannedRow? {
        summary.unchanged += 1
        return nil
    }

    private mutating func repeated() -> PlannedRow? {
        summary.repeated += 1
        return nil
    }

    private func differs(_ given: GivenValue, _ present: JSONValue?) -> Bool {
        switch given {
        case .null: present != nil && present != .null
        case .value(let value): JSONValue(value) != present
        case .added, .edited, .unreadable: true
        }
    }

    private func change(
        _ action: ChangeAction, _ row: IdentifiedRow, base: Int64?,
        _ fields: [String: GivenValue]
    ) -> Change {
        Change(
            id: changeID(action, row, base: base), action: action, model: row.row.model.name,
            guid: row.guid, baseRevision: base, fields: fields,
            name: action == .create ? row.name : nil,
            isOfDeleted: action == .create && row.row.isDeleted)
    }
}

// MARK: - Pushing

extension ImportRun {
    static let device = "import"

    mutating func push(_ rows: [PlannedRow]) async throws(SyncError) {
        guard let first = rows.first else { return }
        let caller: Caller
        do throws(SyncError) {
            caller = try await self.caller(creatingFor: first.owner)
        } catch {
            guard case .account = error else { throw error }
            for planned in rows {
                refuse(
                    .row(
                        planned.row.line, "ownerUnknown",
                        "there is no user '\(first.owner ?? "")', name another"))
            }
            return
        }
        let outcomes = try await outcomes(of: rows, by: caller)
        try await pushUnrelated(try await settle(rows, outcomes))
    }

    /// The outcomes of the first change of each row. One row is never too much to read.
    private func outcomes(
        of rows: [PlannedRow], by caller: Caller
    ) async throws(SyncError) -> [Outcome] {
        do throws(SyncError) {
            let outcomes = try await push(rows.flatMap(\.changes), by: caller)
            var next = 0
            return rows.map { planned in
                defer { next += planned.changes.count }
                return outcomes[next]
            }
        } catch {
            guard case .tooMuchToRead = error, rows.count > 1 else { throw error }
            var outcomes: [Outcome] = []
            for planned in rows {
                outcomes += try await push(planned.changes, by: caller).prefix(1)
            }
            return outcomes
        }
    }

    private func push(
        _ changes: [Change], by caller: Caller
    ) async throws(SyncError) -> [Outcome] {
        try await engine.push(
            importing: changes, keepingOutcomesFor: Self.outcomeSeconds, isTrial: options.isTrial,
            by: caller, at: now)
    }

    private mutating func caller(creatingFor owner: String?) async throws(SyncError) -> Caller {
        if let known = callers[owner ?? ""] { return known }
        let caller = try await newCaller(creatingFor: owner)
        if callers.count == 1000 { callers = [:] }
        callers[owner ?? ""] = caller
        return caller
    }

    /// A record that is deleted at once takes no unique value, and its relations may lead nowhere.
    mutating func accept(_ planned: PlannedRow) {
        let change = planned.deletion ?? planned.change
        if options.isTrial,
            let cause = trial.accept(
                change, by: planned.owner, to: planned.record, of: planned.row.model)
        {
            return refuse(.missing(cause, of: planned.row, isDeleted: true))
        }
        switch change.action {
        case .create where planned.isTriedUpdate: summary.updated += 1
        case .create: summary.created += 1
        case .update, .resolve, .restore: summary.updated += 1
        case .delete: summary.deleted += 1
        }
    }
}
