import AccessPolicy
import EngineKit
import Foundation
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

/// Random queries under random rights: the result is what the asker would find in the records that
/// they have pulled, and no answer depends on anything else.
@Suite struct FindPropertyTests {
    @Test(arguments: UInt64(0)..<24)
    func findAgreesWithFilteringAllVisibleRecords(seed: UInt64) async throws {
        var story = try await FindStory(seed: seed, benches: 1)
        for index in FindStory.people.indices {
            let person = story.person(index, in: story.benches[0])
            let pulled = try await person.everything()
            let naive = NaiveFind(pulled, of: "Thing", created: story.things.map { guid($0) })
            for _ in 0..<40 {
                let (filter, sort) = (story.filter(), story.sort())
                let expected = naive.guids(filter, sort: sort)
                let text = try filter.map(written)
                let place = "\(person.asker.login): \(text ?? "all") by '\(sort)'"
                let found = try await pages(
                    text, sort: sort, limit: story.number(in: 1...5), of: person)
                #expect(found.map(\.guid) == expected, "\(place)")
                #expect(found.allSatisfy { naive.records[$0.guid] == $0 }, "\(place)")
                let counted = try await person.find(text, sort: sort, limit: 1, counts: true)
                #expect(counted.count == expected.count, "\(place)")
            }
        }
    }

    /// The random queries are useful: many match some things but not all.
    @Test func questionsTellThingsApart() async throws {
        var (some, all) = (0, 0)
        for seed in UInt64(0)..<10 {
            var story = try await FindStory(seed: seed, benches: 1)
            let naive = NaiveFind(
                try await story.person(0, in: story.benches[0]).everything(), of: "Thing",
                created: story.things.map { guid($0) })
            let seen = naive.guids(nil, sort: "").count
            for _ in 0..<40 where seen > 0 {
                let found = naive.guids(story.filter(), sort: "").count
                some += found > 0 && found < seen ? 1 : 0
                all += 1
            }
        }
        #expect(some * 6 > all, "\(some) of \(all)")
    }

    /// Two databases that differ only in data invisible to the reader give identical bytes:
    /// records, order, counts, pages, cursors and errors. The limits are low enough to be reached
    /// often.
    @Test(arguments: UInt64(0)..<36)
    func hiddenDataChangesNoResult(seed: UInt64) async throws {
        var limits = Limits()
        if seed % 3 > 0 {
            limits.filteredRecords = 6
            limits.scannedRecords = 3
            limits.pageBytes = 400
        }
        var story = try await FindStory(seed: seed, benches: 2, limits: limits)
        let readers = story.benches.map { story.person(story.reader, in: $0) }
        for _ in 0..<80 {
            let (filter, sort) = (story.filter(), story.sort())
            let text = try filter.map(written)
            let (limit, counts) = (story.number(in: 1...6), story.flip())
            var cursor: String?
            repeat {
                var answers: [String] = []
                for reader in readers {
                    answers.append(
                        try await answer(text, sort, limit, cursor, counts, to: reader))
                }
                let place = "\(text ?? "all") by '\(sort)'"
                try #require(answers[0] == answers[1], "\(place)")
                cursor = try self.cursor(in: answers[0])
            } while cursor != nil
        }
        try await expectTheSameRecords(for: readers)
    }

    /// Every answer and every error as text.
    private func answer(
        _ filter: String?, _ sort: String, _ limit: Int, _ cursor: String?, _ counts: Bool,
        to reader: Person
    ) async throws -> String {
        do {
            let response = try await reader.find(
                filter, sort: sort, limit: limit, cursor: cursor, counts: counts)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(response), as: UTF8.self)
        } catch let error as SyncError {
            return "\(error)"
        }
    }

    private func cursor(in answer: String) throws -> String? {
        guard answer.hasPrefix("{") else { return nil }
        return try decodeMessage(FindResponse.self, from: Array(answer.utf8)).cursor
    }

    private func expectTheSameRecords(for readers: [Person]) async throws {
        for number in 1...30 {
            var answers: [Result<RecordMessage, SyncError>] = []
            for reader in readers {
                do throws(SyncError) {
                    let caller = Caller(
                        asker: reader.asker, deviceIdentifier: "d", isAdmin: false,
                        moment: .none)
                    answers.append(
                        .success(
                            try await reader.bench.engine.record(
                                guid(number), of: "Thing", RecordRequest(), for: caller)))
                } catch {
                    answers.append(.failure(error))
                }
            }
            #expect(answers[0] == answers[1])
        }
    }

    private func pages(
        _ filter: String?, sort: String, limit: Int, of person: Person
    ) async throws -> [RecordMessage] {
        var records: [RecordMessage] = []
        var cursor: String?
        repeat {
            let page = try await person.find(filter, sort: sort, limit: limit, cursor: cursor)
            records += page.records
            cursor = page.cursor
        } while cursor != nil
        return records
    }
}

private func written(_ json: JSONValue) throws -> String {
    String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
}
