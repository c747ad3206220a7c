import Foundation
import JSON
import SyncProtocol
import Testing

/// What there is to see, and for whom.
extension SeededFieldService {
    /// What the definition lets someone see of a record; nil when not even that it is there.
    func visible(_ record: SeededRecord, to seat: Seat) -> [String: JSONValue]? {
        let owner = record.owner
        guard
            rights.allow(
                .read, seat, on: record.model, owner: owner.login, group: owner.group)
        else { return nil }
        let names = record.model.fields.filter {
            rights.allow(
                .read, seat, on: $0, of: record.model, owner: owner.login, group: owner.group)
        }.map(\.name)
        return record.fields.filter { names.contains($0.key) }
    }

    /// Puts every record that the desk has changed once in conflict, by a change of the same fields
    /// that has not seen the first. Gives the values of the second by guid.
    func disputeEverything() async throws -> [String: [String: JSONValue]] {
        let desk = try #require(Seat.fieldService.first { $0.role == "dispatchers-office" })
        // What was done on the same device would be known.
        let session = try await server.signIn(
            desk.login, on: desk.deviceCategory, device: "another")
        let other = Client(server: server, token: session.token)
        var canaries = Canaries(startingAt: 1800)
        var disputed: [String: [String: JSONValue]] = [:]
        for record in records where record.revision == 2 {
            var mine: [String: JSONValue] = [:]
            for field in record.model.fields where field.type != "BELONGS_TO" {
                let owner = record.owner
                let isAllowed = rights.allow(
                    .update, desk, on: field, of: record.model, owner: owner.login,
                    group: owner.group)
                guard isAllowed, field.type != "BOOLEAN", field.type != "INTEGER" else { continue }
                mine[field.name] = try canaries.value(of: field, referringTo: [])
            }
            guard !mine.isEmpty else { continue }
            try await other.putContents(of: mine)
            let outcome = try await other.push(
                .update(record.guid, of: record.model.name, from: 1, mine))
            try #require(outcome.outcome == .conflicted, "\(outcome)")
            disputed[record.guid] = mine
        }
        return disputed
    }

    func canaries(
        hiddenFrom seat: Seat, disputed: [String: [String: JSONValue]]
    ) -> [String] {
        records.flatMap { record in
            let visible = visible(record, to: seat) ?? [:]
            let all = [record.fields, disputed[record.guid] ?? [:]].flatMap { $0 }
            return all.filter { visible[$0.key] == nil }.compactMap(\.value.canary)
        }
    }
}
