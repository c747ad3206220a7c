import SyncEngine

// The records of a model by group and owner.

extension SQLiteSearch {
    func nextGroup(of model: String, after group: String?) throws -> String? {
        let key: [RepeatedStatement.Value] = [.integer(environment.number), .text(model)]
        guard let group else {
            let first = try reader.statement(
                "SELECT group_name FROM \(shownRecords) ORDER BY group_name LIMIT 1")
            return try first.first(key) { try $0.text(0) }
        }
        let next = try reader.statement(
            """
            SELECT group_name FROM \(shownRecords) AND group_name > ? ORDER BY group_name LIMIT 1
            """)
        return try next.first(key + [.text(group)]) { try $0.text(0) }
    }

    func records(in run: RecordRun, atMost limit: ReadLimit) throws -> [FoundRecord] {
        let (text, values) = run.statement(selecting: columns, in: environment)
        return try found(by: RepeatedStatement(text, reader.db), values, atMost: limit)
    }

    func places(in runs: [(run: RecordRun, count: Int)]) throws -> [[RecordRun.Start]] {
        try runs.map { run, count in
            let (text, values) = run.statement(selecting: RecordRun.placeColumns, in: environment)
            var places: [RecordRun.Start] = []
            try RepeatedStatement(text, reader.db).each(values + [.integer(Int64(count))]) { row in
                places.append(
                    RecordRun.Start(
                        owner: try row.text(0), created: try row.number(1, as: .sequence),
                        guid: try row.text(2)))
                return .goOn
            }
            return places
        }
    }

    /// Reads no more of a row than what it passes, without copying it.
    func forEachText(in run: RecordRun, _ visit: (RecordText) throws -> Bool) throws {
        let (source, values) = run.source(in: environment)
        let statement = try RepeatedStatement(
            """
            SELECT guid, created, is_deleted, fields FROM \(source) ORDER BY owner, created, guid
            """, reader.db)
        try statement.each(values) { row in
            let text = RecordText(
                guid: try row.bytes(0), created: try row.number(1, as: .sequence),
                isDeleted: row.number(2) != 0, fields: try row.bytes(3))
            return try visit(text) ? .goOn : .stop
        }
    }

    func recordCount(in run: RecordRun, upTo max: Int) throws -> Int {
        let (source, values) = run.source(in: environment)
        let statement = try RepeatedStatement(
            "SELECT count(*) FROM (SELECT 1 FROM \(source) LIMIT ?)", reader.db)
        return try count(by: statement, values + [.integer(Int64(max))])
    }
}

/// Records of a model that are not deleted or have an open conflict. The index contains no others,
/// and is in the order of group, owner, creation and guid.
private let shownRecords = """
    records INDEXED BY records_by_owner
    WHERE (NOT is_deleted OR is_conflicted) AND environment = ? AND model = ?
    """

extension RecordRun {
    /// The index has them.
    static let placeColumns = "owner, created, guid"

    /// The text with a limit for its last value, and the other values.
    func statement(
        selecting columns: String, in environment: EnvironmentID
    ) -> (text: String, values: [RepeatedStatement.Value]) {
        let (source, values) = source(in: environment)
        return ("SELECT \(columns) FROM \(source) ORDER BY owner, created, guid LIMIT ?", values)
    }

    /// The text after `FROM`, and its values.
    fileprivate func source(
        in environment: EnvironmentID
    ) -> (text: String, values: [RepeatedStatement.Value]) {
        let key: [RepeatedStatement.Value] = [
            .integer(environment.number), .text(model), .text(group),
        ]
        let inGroup = "\(shownRecords) AND group_name = ?"
        let after = "(owner, created, guid) > (?, ?, ?)"
        let place: [RepeatedStatement.Value] = [
            .text(start.owner), .integer(start.created), .text(start.guid),
        ]
        switch owners {
        case .everybody: return ("\(inGroup) AND \(after)", key + place)
        case .allBut(let login):
            return ("\(inGroup) AND \(after) AND owner <> ?", key + place + [.text(login)])
        case .only(let login):
            return (
                "\(inGroup) AND owner = ? AND (created, guid) > (?, ?)",
                key + [.text(login)] + place.dropFirst()
            )
        }
    }
}
