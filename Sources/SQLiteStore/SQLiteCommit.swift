import DefinitionModel
import GRDB
import SyncEngine

/// A transaction of the writer.
struct SQLiteCommit: CommitTransaction {
    let environment: EnvironmentID
    let writer: StatementCache
    private let beginning = ContinuousClock.now

    init(in environment: EnvironmentID, _ writer: StatementCache) {
        self.environment = environment
        self.writer = writer
    }

    var elapsedMilliseconds: Int64 {
        Int64((ContinuousClock.now - beginning) / Duration.milliseconds(1))
    }

    func read(_ request: BatchRead) throws -> BatchRows {
        let db = writer.db
        var rows = BatchRows()
        if request.readsState { rows.state = try currentState(of: environment, writer) }
        rows.records = try records(of: request)
        rows.outcomes = try outcomes(request.outcomes)
        rows.purged = try arePurged(request.purgedGuids)
        rows.history = try request.history.map { try entries(for: $0) }
        rows.historyCounts = try request.historyCounts.map { try entryCount(for: $0) }
        rows.ownershipChanges = try request.ownershipChanges.map {
            try firstOwnershipChange(after: $0)
        }
        rows.conflictAmounts = try request.conflictAmounts.map { try openConflictAmount(of: $0) }
        rows.conflicts = try request.conflicts.map { try openConflicts(for: $0) }
        rows.holders = try request.holders.map { try holder(of: $0, in: environment, db) }
        rows.owners = try request.owners.map { try owner(of: $0) }
        rows.changes = try request.changes.map { try changes(for: $0) }
        rows.changedSources = try request.changedSources.map { try sources(of: $0) }
        rows.effects = try request.effects.map { try hasEffect($0) }
        rows.files = try request.files.map { try storedFile($0, in: environment, db) }
        rows.recordsNamingFiles = try request.recordsNamingFiles.map {
            try recordsNaming($0, in: environment, db)
        }
        rows.outcomeAmounts = try request.outcomeAmounts.map { try outcomeAmounts(of: $0) }
        rows.disputes = try request.disputes.map { try disputes(of: $0) }
        return rows
    }

    func write(_ batch: WriteBatch) throws { try batch.write(in: environment, writer) }
}

// MARK: - Records

extension SQLiteCommit {
    private func records(of request: BatchRead) throws -> [FoundState] {
        let guids = request.records
        guard !guids.isEmpty else { return [] }
        let statement = try writer.statement(
            """
            SELECT guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields
            FROM records WHERE environment = ? AND guid = ?
            """)
        var absent: [Int] = []
        var found: [FoundState] = []
        found.reserveCapacity(guids.count)
        var size = RecordReadSize(of: request)
        for guid in guids where !size.isReached {
            let record = try statement.first(
                [.integer(environment.number), .text(guid)], StoredRecord.init(row:))
            if record == nil { absent.append(found.count) }
            let state = record.map(FoundState.stored) ?? .free
            if size.takes(state) { found.append(state) }
        }
        for index in try purged(among: guids, at: absent) { found[index] = .purged }
        return found
    }

    private func owner(of guid: String) throws -> OwnedRecord? {
        let statement = try writer.statement(
            "SELECT model, owner, group_name FROM records WHERE environment = ? AND guid = ?")
        return try statement.first([.integer(environment.number), .text(guid)]) { row in
            OwnedRecord(model: try row.text(0), owner: try row.text(1), group: try row.text(2))
        }
    }

    private func arePurged(_ guids: [String]) throws -> [Bool] {
        var arePurged = guids.map { _ in false }
        for index in try purged(among: guids, at: Array(guids.indices)) { arePurged[index] = true }
        return arePurged
    }

    private func purged(among guids: [String], at absent: [Int]) throws -> [Int] {
        // With several absent records, check first whether anything was ever purged.
        if absent.count > 1 {
            let any = try writer.statement("SELECT 1 FROM swept WHERE environment = ? LIMIT 1")
            guard try any.first([.integer(environment.number)], { _ in }) != nil else { return [] }
        }
        guard !absent.isEmpty else { return [] }
        let statement = try writer.statement(
            "SELECT 1 FROM swept WHERE environment = ? AND guid = ?")
        return try absent.filter { index in
            try statement.first([.integer(environment.number), .text(guids[index])]) { _ in } != nil
        }
    }

    private func outcomes(_ ids: [OutcomeID]) throws -> [StoredOutcome?] {
        guard !ids.isEmpty else { return [] }
        let statement = try writer.statement(
            """
            SELECT outcome, is_traceless FROM outcomes
            WHERE environment = ? AND login = ? AND device_identifier = ? AND change_id = ?
            """)
        return try ids.map { id in
            try statement.first([
                .integer(environment.number), .text(id.device.login),
                .text(id.device.deviceIdentifier), .text(id.changeID),
            ]) { row in
                StoredOutcome(
                    changeID: id.changeID, text: try row.text(0), isTraceless: row.number(1) == 1)
            }
        }
    }
}

// MARK: - Amounts

extension SQLiteCommit {
    /// The size of a text is known without reading it. An SQL function would copy each.
    private func outcomeAmounts(of question: OutcomeQuestion) throws -> OutcomeAmounts {
        let statement = try writer.statement(
            """
            SELECT device_identifier, outcome FROM outcomes
            WHERE environment = ? AND login = ?
                AND (expires_at = 0 OR ? AND NOT is_traceless)
            ORDER BY device_identifier LIMIT ?
            """)
        var ofDevices: [ByteKey: StoredAmount] = [:]
        // The rows of a device follow each other.
        var (device, amount) = ("", StoredAmount.nothing)
        try statement.each([
            .integer(environment.number), .text(question.login.text),
            .flag(question.includesExpiring), .integer(Int64(question.maxRows)),
        ]) { row in
            if try !device.utf8.elementsEqual(row.bytes(0)) {
                ofDevices[ByteKey(device)] = amount.rows > 0 ? amount : nil
                (device, amount) = (try row.text(0), .nothing)
            }
            amount = amount + StoredAmount(rows: 1, bytes: try row.bytes(1).count)
            return .goOn
        }
        ofDevices[ByteKey(device)] = amount.rows > 0 ? amount : nil
        return OutcomeAmounts(ofDevices: ofDevices)
    }

    private func disputes(of question: DisputeQuestion) throws -> StoredAmount {
        let statement = try writer.db.cachedStatement(
            sql: """
                SELECT count(*) AS user_rows, coalesce(sum(size), 0) AS user_bytes
                FROM (SELECT length(CAST(sides AS BLOB)) AS size FROM conflicts
                    WHERE environment = ? AND login = ? AND is_open LIMIT ?)
                """)
        return try StoredAmount(
            try Row.fetchOne(
                statement, arguments: [environment.number, question.login, question.maxRows]),
            "user")
    }
}

extension StoredAmount {
    /// Reads two columns, whose names begin with the same word.
    fileprivate init(_ row: Row?, _ name: String) throws {
        guard let row else {
            self = .nothing
            return
        }
        self.init(
            rows: try row.decode(Int.self, forColumn: "\(name)_rows"),
            bytes: try row.decode(Int.self, forColumn: "\(name)_bytes"))
    }
}

// MARK: - History

extension SQLiteCommit {
    /// Reads no further than to the first row beyond the limit.
    private func entries(for question: HistoryQuestion) throws -> [[HistoryEntry]]? {
        var room = RowRoom(question.limit)
        var histories: [[HistoryEntry]] = []
        for start in question.starts {
            histories.append(try entries(after: start, &room))
            if room.isExceeded { return nil }
        }
        return histories
    }

    private func entries(
        after start: HistoryStart, _ room: inout RowRoom
    ) throws -> [HistoryEntry] {
        let (column, number) = start.position.columnAndNumber
        let statement = try RepeatedStatement(
            """
            SELECT \(HistoryEntry.columns)
            FROM history WHERE origin = \(originOfRecord) AND \(column) > ?
            ORDER BY revision, id
            """, writer.db)
        var entries: [HistoryEntry] = []
        try statement.each(
            [.integer(environment.number), .text(start.guid), .integer(number)]
        ) { row in
            let entry = try HistoryEntry(row: row)
            room.take(entry.fieldsText)
            entries.append(entry)
            return room.isExceeded ? .stop : .goOn
        }
        return entries
    }

    private func entryCount(for question: HistoryCountQuestion) throws -> Int {
        let (column, number) = question.start.position.columnAndNumber
        let statement = try writer.db.cachedStatement(
            sql: """
                SELECT count(*) FROM (SELECT 1 FROM history
                    WHERE origin = \(originOfRecord) AND \(column) > ? LIMIT ?)
                """)
        return try Int.fetchOne(
            statement,
            arguments: [environment.number, question.start.guid, number, question.max]) ?? 0
    }

    private func firstOwnershipChange(after start: HistoryStart) throws -> OwnershipChange? {
        let (column, number) = start.position.columnAndNumber
        let statement = try writer.db.cachedStatement(
            sql: """
                SELECT sequence, revision, owner, group_name FROM moves
                WHERE environment = ? AND guid = ? AND \(column) > ? ORDER BY sequence LIMIT 1
                """)
        return try Row.fetchOne(statement, arguments: [environment.number, start.guid, number])
            .map { try OwnershipChange(row: $0) }
    }

    /// Reads no further than to the first row beyond the limit.
    private func openConflicts(for question: ConflictQuestion) throws -> [[StoredConflict]]? {
        var room = RowRoom(question.limit)
        let statement = try writer.db.cachedStatement(
            sql: """
                SELECT guid, revision, login, device_identifier, sides FROM conflicts
                WHERE environment = ? AND guid = ? AND is_open AND login = ?
                    AND device_identifier = ? ORDER BY revision
                """)
        var found: [[StoredConflict]] = []
        for guid in question.guids {
            let rows = try Row.fetchCursor(
                statement,
                arguments: [
                    environment.number, guid, question.device.login,
                    question.device.deviceIdentifier,
                ])
            var conflicts: [StoredConflict] = []
            while let row = try rows.next() {
                let conflict = try StoredConflict(row: row)
                room.take(conflict.text)
                guard !room.isExceeded else { return nil }
                conflicts.append(conflict)
            }
            found.append(conflicts)
        }
        return found
    }

    private func openConflictAmount(of guid: String) throws -> StoredAmount {
        let statement = try writer.db.cachedStatement(
            sql: """
                SELECT count(*) AS open_rows,
                    coalesce(sum(length(CAST(sides AS BLOB))), 0) AS open_bytes
                FROM conflicts WHERE environment = ? AND guid = ? AND is_open
                """)
        return try StoredAmount(
            try Row.fetchOne(statement, arguments: [environment.number, guid]), "open")
    }
}

extension HistoryStart.Position {
    fileprivate var columnAndNumber: (column: String, number: Int64) {
        switch self {
        case .revision(let revision): ("revision", revision)
        case .sequence(let sequence): ("sequence", sequence)
        }
    }
}
