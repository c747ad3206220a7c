import DefinitionModel
import SyncEngine

/// Selects the guids of the holders, each after the 1-based index of its value.
func holders(of values: [UniqueValue], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT number, guid
        FROM unnest((SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::bytea[]))
            WITH ORDINALITY AS wanted (wanted_model, wanted_field, wanted_value, number)
        CROSS JOIN LATERAL (SELECT guid FROM unique_values
            WHERE environment = $1 AND model = wanted_model AND field = wanted_field
                AND sha256(value) = sha256(wanted_value) OFFSET 0) AS held
        """, [.integer(environment.number)] + parameters(of: values))
}

func free(_ holdings: [UniqueHolding], in environment: EnvironmentID) -> [Statement] {
    guard !holdings.isEmpty else { return [] }
    return [
        Statement(
            """
            WITH freed AS MATERIALIZED (\(rowLocations(
                in: "unique_values", of: """
                    unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) WITH ORDINALITY
                        AS wanted (wanted_model, wanted_field, wanted_value, wanted_guid, number)
                    """, where: """
                    model = wanted_model AND field = wanted_field
                    AND sha256(value) = sha256(wanted_value) AND guid = wanted_guid
                    """)))
            DELETE FROM unique_values USING freed WHERE unique_values.ctid = location
            RETURNING number
            """, parameters(of: holdings, in: environment))
    ]
}

/// Throws if a record did not hold its value: the table is then damaged.
func checkFreed(_ holdings: [UniqueHolding], _ rows: Rows) throws {
    let freed = Set(try rows.map { try $0.int() - 1 })
    guard let place = holdings.indices.first(where: { !freed.contains($0) }) else { return }
    let kept = holdings[place]
    throw StoreError.unreadable(
        "'\(kept.guid)' is not known to hold its '\(kept.value.field)'")
}

func take(_ holdings: [UniqueHolding], in environment: EnvironmentID) -> [Statement] {
    holdings.isEmpty
        ? [] : [Statement(insertion, parameters(of: holdings, in: environment))]
}

/// Stores the holdings whose values are free. Returns for each whether it was. A record may have at
/// most one value of each field.
func takeIfFree(
    _ holdings: [UniqueHolding], in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> [Bool] {
    let taken = Set(
        try transaction.rows(
            "\(insertion) ON CONFLICT DO NOTHING RETURNING model, field, guid",
            parameters(of: holdings, in: environment)
        ).map { HoldingKey(model: try $0.text(), field: try $0.text(), guid: try $0.text()) })
    return holdings.map {
        taken.contains(HoldingKey(model: $0.value.model, field: $0.value.field, guid: $0.guid))
    }
}

private struct HoldingKey: Hashable {
    let model: ByteKey
    let field: ByteKey
    let guid: ByteKey

    init(model: String, field: String, guid: String) {
        self.model = ByteKey(model)
        self.field = ByteKey(field)
        self.guid = ByteKey(guid)
    }
}

private let insertion = """
    INSERT INTO unique_values (environment, model, field, value, guid)
    SELECT $1, taken.* FROM unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) AS taken
    """

private func parameters(
    of holdings: [UniqueHolding], in environment: EnvironmentID
) -> [Parameter] {
    [.integer(environment.number)] + parameters(of: holdings.map(\.value))
        + [.texts(holdings.map(\.guid))]
}

private func parameters(of values: [UniqueValue]) -> [Parameter] {
    [
        .texts(values.map(\.model)), .texts(values.map(\.field)),
        .byteStrings(values.map { Array($0.text.utf8) }),
    ]
}
