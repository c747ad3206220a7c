import ChangeRules
import GRDB
import SyncEngine

/// The records of which a related one was changed by others since the device last looked.
func unseenGraphs(of need: Need, _ db: Database) throws -> Set<String> {
    try Set(need.graphs.filter { try isUnseen($0, for: need, db) }.map(\.guid))
}

private func isUnseen(_ graph: GraphNeed, for need: Need, _ db: Database) throws -> Bool {
    if try graph.targets.contains(where: { try wasChanged($0, for: need, db) }) { return true }
    for relation in graph.relations {
        if let target = try target(of: relation, from: graph.guid, in: need.environment, db),
            try wasChanged(target, for: need, db)
        {
            return true
        }
    }
    return try graph.sources.contains { relation in
        try changedSources(of: relation, to: graph.guid, for: need, db)
            .contains { try wasChanged($0, for: need, db) }
    }
}

private func target(
    of relation: RelationName, from guid: String, in environment: EnvironmentID, _ db: Database
) throws -> String? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT json_extract(fields, '$.' || ?) FROM records
            WHERE environment = ? AND guid = ? AND model = ?
            """)
    return try String.fetchOne(
        statement, arguments: [relation.field, environment.number, guid, relation.model])
}

/// Those that anything has happened to since.
private func changedSources(
    of relation: RelationName, to target: String, for need: Need, _ db: Database
) throws -> [String] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT records.guid FROM links JOIN records
                ON records.environment = links.environment AND records.guid = links.source
            WHERE links.environment = ? AND links.target = ? AND links.is_current
                AND records.model = ? AND json_extract(records.fields, '$.' || ?) = links.target
                AND records.place > ?
            """)
    return try String.fetchAll(
        statement,
        arguments: [
            need.environment.number, target, relation.model, relation.field,
            Place.of(sequence: need.seenSequence, in: need.environment),
        ])
}

/// Whether anything took effect on it that the device has neither seen nor done.
private func wasChanged(_ guid: String, for need: Need, _ db: Database) throws -> Bool {
    let kinds = HistoryEntry.Kind.allCases.filter(\.tookEffect)
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
        sql: """
            SELECT EXISTS (SELECT 1 FROM history
                WHERE origin = \(originOfRecord) AND sequence > ? AND kind IN (\(kinds))
                    AND NOT (login = ? AND device_identifier = ?))
            """)
    return try Bool.fetchOne(
        statement,
        arguments: [
            need.environment.number, guid, need.seenSequence, need.device.login,
            need.device.deviceIdentifier,
        ]) ?? false
}
