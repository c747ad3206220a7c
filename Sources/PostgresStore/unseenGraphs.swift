import ChangeRules
import SyncEngine

/// The records of which a related one was changed by others since the device last looked.
func unseenGraphs(of need: Need, _ transaction: Transaction) throws -> Set<String> {
    try Set(need.graphs.filter { try isUnseen($0, for: need, transaction) }.map(\.guid))
}

private func isUnseen(_ graph: GraphNeed, for need: Need, _ transaction: Transaction) throws -> Bool
{
    let found = try transaction.rows(of: [
        records(of: [graph.guid], in: need.environment), changedSources(of: graph, for: need),
    ])
    let own = try byGuid(found[0])[graph.guid]
    let sources = try found[1].map { try StoredRecord(row: &$0) }
    let related =
        graph.targets
        + graph.relations.compactMap { own?.target(of: $0) }
        + sources.filter { source in
            graph.sources.contains { source.target(of: $0) == graph.guid }
        }.map(\.guid)
    return try wasAnyChanged(related, for: need, transaction)
}

extension StoredRecord {
    /// The values are read here: PostgreSQL's functions for JSON take no text with U+0000.
    fileprivate func target(of relation: RelationName) -> String? {
        model == relation.model ? textValue(of: relation.field) : nil
    }
}

/// Those that name it and that anything has happened to since.
private func changedSources(of graph: GraphNeed, for need: Need) -> Statement {
    Statement(
        """
        SELECT \(Columns.record) FROM links
            JOIN records ON records.environment = $1 AND records.guid = links.source
        WHERE links.environment = $1 AND links.target = $2 AND links.is_current
            AND records.model = ANY ($3) AND records.sequence > $4
        """,
        [
            .integer(need.environment.number), .text(graph.guid),
            .texts(graph.sources.map(\.model)), .integer(need.seenSequence),
        ])
}

/// Whether anything took effect on one of them that the device has neither seen nor done.
private func wasAnyChanged(
    _ guids: [String], for need: Need, _ transaction: Transaction
) throws -> Bool {
    guard !guids.isEmpty else { return false }
    let rows = try transaction.rows(
        """
        SELECT 1 FROM history
        WHERE environment = $1 AND guid = ANY ($2) AND sequence > $3 AND kind = ANY ($4)
            AND NOT (login = $5 AND device_identifier = $6)
        LIMIT 1
        """,
        [
            .integer(need.environment.number), .texts(guids), .integer(need.seenSequence),
            .texts(HistoryEntry.Kind.allCases.filter(\.tookEffect).map(\.rawValue)),
            .text(need.device.login), .text(need.device.deviceIdentifier),
        ])
    return rows.count > 0
}
