import Foundation
import JSON
import SyncProtocol
import Testing

/// The visible data in an app with many roles, compared with a second implementation of its rights.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SightTests {
    @Test func roleSeesOnlyItsRecordsAndFields() async throws {
        let seeded = try await SeededFieldService()
        #expect(Set(seeded.records.map(\.model.name)).count == 10, "every model has records")
        for seat in Seat.fieldService {
            let pulled = try await seeded.client(seat).records()
            let byGuid = Dictionary(grouping: pulled, by: \.guid)
            let expected = seeded.records.filter { seeded.visible($0, to: seat) != nil }
            #expect(Set(byGuid.keys) == Set(expected.map(\.guid)), "\(seat)")
            for record in expected {
                let found = try #require(byGuid[record.guid]?.first)
                #expect(byGuid[record.guid]?.count == 1)
                let place = "\(seat) reads a \(record.model.name) of \(record.owner)"
                #expect(found.fields == seeded.visible(record, to: seat), "\(place)")
                #expect(found.model == record.model.name && found.revision == record.revision)
                #expect(found.owner == record.owner.login && found.group == record.owner.group)
                #expect(!found.deleted && !found.conflicted && found.conflicts == nil)
            }
        }
    }

    @Test func rolesOfExampleSeeDifferentRecords() async throws {
        let seeded = try await SeededFieldService()
        for (index, seat) in Seat.fieldService.enumerated() {
            for other in Seat.fieldService[..<index] {
                let differs = seeded.records.contains {
                    seeded.visible($0, to: seat) != seeded.visible($0, to: other)
                }
                #expect(differs, "\(seat) and \(other) are held to the same")
            }
        }
    }

    @Test func notByteOfHiddenFieldComesOut() async throws {
        let seeded = try await SeededFieldService(arguments: "--log-level", "trace")
        let disputed = try await seeded.disputeEverything()
        #expect(disputed.count > 20)
        for seat in Seat.fieldService {
            let bodies = try await seeded.probe(as: seat)
            let hidden = seeded.canaries(hiddenFrom: seat, disputed: disputed)
            #expect(hidden.isEmpty == (seat.role == "dispatchers-office"), "\(seat)")
            for body in bodies {
                for canary in hidden {
                    #expect(!body.contains(canary), "\(seat) reads \(canary) in \(body)")
                }
            }
            if seat.role == "dispatchers-office" {
                let all = seeded.records.flatMap(\.fields.values).compactMap(\.canary)
                for canary in all { #expect(bodies[0].contains(canary), "\(canary) is not there") }
            }
        }
        let log = try seeded.server.log()
        #expect(log.contains("/v1/test/sync") && !log.contains("canary"))
        for token in seeded.server.site.sessions.values { #expect(!log.contains(token)) }
    }

    @Test func conflictShowsOnlyFieldsItsReaderMaySee() async throws {
        let seeded = try await SeededFieldService()
        let disputed = try await seeded.disputeEverything()
        for seat in Seat.fieldService {
            let pulled = try await seeded.client(seat).records()
            let byGuid = Dictionary(grouping: pulled, by: \.guid).compactMapValues(\.first)
            for record in seeded.records {
                guard let mine = disputed[record.guid] else { continue }
                guard let visible = seeded.visible(record, to: seat) else {
                    #expect(byGuid[record.guid] == nil)
                    continue
                }
                let found = try #require(byGuid[record.guid])
                let conflict = try #require(found.conflicts?.first)
                #expect(found.conflicted && found.fields == visible, "\(seat)")
                #expect(conflict.mine.fields == mine.filter { visible[$0.key] != nil })
                #expect(conflict.theirs.fields == visible.filter { mine[$0.key] != nil })
                #expect(Set(conflict.base.fields.keys) == Set(conflict.mine.fields.keys))
                #expect(conflict.mine.login == "dora" && conflict.theirs.login == "dora")
            }
        }
    }
}

extension SeededFieldService {
    /// Everything that a user can read: pulled records, and the refusals of forbidden changes.
    fileprivate func probe(as seat: Seat) async throws -> [String] {
        let client = try client(seat)
        let forbidden = records.flatMap { changesForbidden(to: seat, of: $0) }
        var bodies = [try await client.ask(SyncRequest(limit: 1000)).text]
        for start in stride(from: 0, to: forbidden.count, by: 500) {
            let changes = Array(forbidden[start...].prefix(500))
            let answer = try await client.ask(SyncRequest(changes: changes))
            let outcomes = try answer.message(as: SyncResponse.self).outcomes
            for outcome in outcomes { #expect(outcome.outcome == .refused, "\(seat): \(outcome)") }
            bodies.append(answer.text)
        }
        return bodies
    }

    private func changesForbidden(to seat: Seat, of record: SeededRecord) -> [ChangeMessage] {
        let model = record.model.name
        let visible = visible(record, to: seat)
        let ofTheRecord: [ChangeMessage] = [
            .create(record.guid, of: model, [:]),
            .update(record.guid, of: model, from: 99, [:]),
            .delete(record.guid, of: model, from: 99),
            .resolve(record.guid, of: model, from: 1, [:]),
        ]
        let hidden = record.model.fields.filter { visible?[$0.name] == nil }
        return ofTheRecord
            + hidden.flatMap { field in
                [.null, .integer(1), record.fields[field.name] ?? .null].map {
                    .update(record.guid, of: model, from: 1, [field.name: $0])
                }
            }
    }
}
