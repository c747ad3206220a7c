import GRDB

extension DeviceStore {
    func shown<Model: Record>(
        _ guid: String, as type: Model.Type, by rules: LocalRules, _ db: GRDB.Database
    ) throws -> Model? {
        guard let record = try record(guid, db), record.shown != nil,
            record.model == Model.modelName
        else { return nil }
        return try Model(record.values(by: rules))
    }

    func guids(ofModel model: String, _ db: GRDB.Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT guid FROM records WHERE model = ? AND shown IS NOT NULL",
            arguments: [model])
    }

    func found<Model: Record>(
        _ query: Query<Model>, by rules: LocalRules, _ db: GRDB.Database
    ) throws -> [Model] {
        guard let search = SearchText(query, by: rules) else { return [] }
        for circle in search.circles {
            let records: [Model] = try found(circle, by: rules, db)
            if records.count == query.limit { return records }
        }
        return try found(search, by: rules, db)
    }

    private func found<Model: Record>(
        _ search: SearchText, by rules: LocalRules, _ db: GRDB.Database
    ) throws -> [Model] {
        let search = try search.records()
        let statement = try db.cachedStatement(sql: search.text)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(search.arguments))
        var records: [Model] = []
        while let row = try rows.next() {
            records.append(try Model(LocalRecord(row: row).values(by: rules)))
        }
        return records
    }

    func count<Model: Record>(
        _ query: Query<Model>, by rules: LocalRules, _ db: GRDB.Database
    ) throws -> Int {
        guard let search = try SearchText(query, by: rules)?.count() else { return 0 }
        return try Int.fetchOne(
            db, sql: search.text, arguments: StatementArguments(search.arguments)) ?? 0
    }
}
