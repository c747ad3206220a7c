import DefinitionModel
import SyncEngine

/// Selects the guids of the holders, each after the 1-based index of its value.
func holders(of values: [UniqueValue], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT number, guid
        FROM unnest($2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
                AS wanted (model, field, value, number)
            JOIN unique_values AS held ON environment = $1 AND held.model = wanted.model
                AND held.field = wanted.field AND sha256(held.value) = sha256(wanted.value)
        """, [.integer(environment.number)] + parameters(of: values))
}

func free(_ holdings: [UniqueHolding], in environment: EnvironmentID) -> [Statement] {
    guard !holdings.isEmpty else { return [] }
    return [
        Statement(
            """
            DELETE FROM unique_values AS held
            USING unnest($2::text[], $3::text[], $4::bytea[], $5::text[])
                WITH ORDINALITY AS freed (model, field, value, guid, number)
            WHERE environment = $1 AND held.model = freed.model AND held.field = freed.field
                AND sha256(held.value) = sha256(freed.value) AND held.guid = freed.guid
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
