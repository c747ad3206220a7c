import Foundation
import JSON
import SyncProtocol
import Testing

/// The visible data of each user.
extension SeededFieldService {
    /// The fields that a user may see according to the definition; nil if the record is invisible.
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

    /// Puts every record that the desk has changed once in conflict, by a stale change of the same
    /// fields. Returns the values of the stale changes by guid.
    func disputeEverything() async throws -> [String: [String: JSONValue]] {
        let desk = try #require(Seat.fieldService.first { $0.role == "dispatchers-office" })
        // Changes from the same device would not be stale.
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
