import SyncEngine

/// Writes links. A link that is also listed as former or ended stays current.
func write(
    _ links: [RecordLink], former: [RecordLink], ended: [RecordLink],
    in environment: EnvironmentID
) -> [Statement] {
    end(ended, in: environment) + put(former, isCurrent: false, in: environment)
        + put(links, isCurrent: true, in: environment)
}

private func end(_ links: [RecordLink], in environment: EnvironmentID) -> [Statement] {
    guard !links.isEmpty else { return [] }
    return [
        Statement(
            """
            WITH ended AS MATERIALIZED (\(rowLocations(
                in: "links", of: """
                    unnest($2::text[], $3::text[]) AS wanted (wanted_source, wanted_target)
                    """, where: "source = wanted_source AND target = wanted_target")))
            DELETE FROM links USING ended WHERE links.ctid = location
            """, parameters(of: links, in: environment))
    ]
}

private func put(
    _ links: [RecordLink], isCurrent: Bool, in environment: EnvironmentID
) -> [Statement] {
    guard !links.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO links (environment, source, target, is_current)
            SELECT DISTINCT $1::bigint, source, target, $4::boolean
            FROM unnest($2::text[], $3::text[]) AS link (source, target)
            ON CONFLICT (environment, source, target)
                DO UPDATE SET is_current = excluded.is_current
                WHERE links.is_current <> excluded.is_current
            """, parameters(of: links, in: environment) + [.flag(isCurrent)])
    ]
}

private func parameters(of links: [RecordLink], in environment: EnvironmentID) -> [Parameter] {
    [
        .integer(environment.number), .texts(links.map(\.source)), .texts(links.map(\.target)),
    ]
}
