import EngineKit
import Foundation
import JSON
import SQLiteStore
import TestKit
import Testing

@testable import SyncEngine

@Suite("The feed of commits", .timeLimit(.minutes(2)))
struct CommitFeedTests {
    @Test func everyCommitIsAnnounced() async throws {
        let bench = try await TestBench(Documents.notes())
        var sequences = bench.engine.commits().makeAsyncIterator()
        for number in 1...3 {
            _ = try await bench.person("a").push(create(number, ["title": "t"]))
            #expect(await sequences.next() == Int64(number))
        }
    }

    /// A slow reader gets the last one only.
    @Test func announcementsAreNotQueued() async {
        let feed = CommitFeed()
        let environment = EnvironmentID(number: 1)
        var sequences = feed.sequences(of: environment).makeAsyncIterator()
        for sequence in [1, 5, 3, 5] as [Int64] { feed.announce(sequence, in: environment) }
        feed.announce(9, in: EnvironmentID(number: 2))
        #expect(await sequences.next() == 5)
        feed.announce(6, in: environment)
        #expect(await sequences.next() == 6)
    }

    @Test func commitsOfOtherProcessesAreNoticed() async throws {
        let bench = try await TestBench(Documents.notes())
        let other = try SQLiteDatabase(path: bench.folder.appending(path: "test.sqlite").path)
        var sequences = bench.engine.commits().makeAsyncIterator()
        try await other.write(WriteSet(records: [.test("g")]), in: bench.engine.environment)
        try await bench.store.announceCommits()
        #expect(await sequences.next() == 1)
        try other.close()
    }

    @Test func readerThatStopsIsForgotten() async {
        let feed = CommitFeed()
        let environment = EnvironmentID(number: 1)
        let reader = Task {
            for await _ in feed.sequences(of: environment) { return }
        }
        while feed.followedEnvironments.isEmpty { await Task.yield() }
        feed.announce(1, in: environment)
        await reader.value
        while !feed.followedEnvironments.isEmpty { await Task.yield() }
    }
}
