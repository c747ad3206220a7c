import AccessPolicy
import DefinitionModel
import EngineKit
import Foundation
import JSON
import NativeCalls
import SyncProtocol
import Synchronization
import Testing

@testable import SyncEngine

@Suite("A cursor contains a position, rights and a definition")
struct CursorTests {
    private static let rights = Rights(
        of: Asker(
            login: "a", group: "users", role: Role(group: "users", deviceCategory: "mobile")),
        fingerprint: "f")

    private static let phases: [(Cursor.Phase, since: Int64, tombstones: Int64)] = [
        (.following(since: 5), 5, 9), (.starting(at: 4), 4, 9), (.starting(at: 20), 20, 20),
        (.changing(from: rights, since: 7, until: 8), 7, 9),
        (.changing(from: rights, since: 11, until: 12), 11, 12),
    ]

    @Test(arguments: phases)
    func itsTokenReadsBackAsItself(phase: Cursor.Phase, since: Int64, tombstones: Int64) throws {
        let cursor = Cursor(instance: "i-1", position: 9, rights: Self.rights, phase: phase)
        let token = try CursorSeal.plain.token(of: cursor)
        #expect(CursorSeal.plain.value(of: token, as: Cursor.self) == cursor)
        #expect(cursor.heldSince == since && cursor.needsTombstonesAfter == tombstones)
    }

    @Test(arguments: phases, ["f", "\"\\\n\u{0}/é🐝"])
    func cursorIsReadAndWrittenAsCodersDo(
        phase: (Cursor.Phase, since: Int64, tombstones: Int64), text: String
    ) throws {
        let rights = Rights(
            fingerprint: text, login: "\(text)1", group: "\(text)2", deviceCategory: "\(text)3")
        let cursor = Cursor(instance: text, position: -1, rights: rights, phase: phase.0)
        let json = try JSONText.encode(cursor)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(json == String(decoding: try encoder.encode(cursor), as: UTF8.self))
        #expect(Cursor(wellFormed: try parseJSON(Array(json.utf8))) == cursor)
    }

    /// An opened cursor is cached for a while; a cursor with an equivalent text is a different one.
    @Test func cursorIsOpenedOnce() throws {
        let opened = Mutex(0)
        func seal() -> CursorSeal {
            CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) },
                open: { text in
                    opened.withLock { $0 += 1 }
                    return Array(text.utf8)
                })
        }
        let rights = Rights(fingerprint: "f", login: "K", group: "g", deviceCategory: "d")
        let cursor = Cursor(instance: "i", position: 1, rights: rights, phase: .starting(at: 1))
        let maker = seal()
        let token = try maker.token(of: cursor)
        #expect(maker.value(of: token, as: Cursor.self) == cursor && opened.withLock { $0 } == 0)

        let reader = seal()
        for _ in 0..<3 { #expect(reader.value(of: token, as: Cursor.self) == cursor) }
        #expect(opened.withLock { $0 } == 1)
        _ = reader.value(of: token.replacing("K", with: "\u{212A}"), as: Cursor.self)
        #expect(opened.withLock { $0 } == 2)
        #expect(
            reader.value(of: token + String(repeating: " ", count: 2048), as: Cursor.self) == nil)
    }

    /// Any number of cursors can be opened; evicted ones are opened again.
    @Test func manyAreOpenedToo() throws {
        let seal = CursorSeal.plain
        let rights = Rights(fingerprint: "f", login: "l", group: "g", deviceCategory: "d")
        let cursors = (0..<5000).map {
            Cursor(instance: "i", position: $0, rights: rights, phase: .following(since: 0))
        }
        let tokens = try cursors.map { try seal.token(of: $0) }
        for (token, cursor) in zip(tokens, cursors) {
            #expect(seal.value(of: token, as: Cursor.self) == cursor)
        }
    }

    /// With missing, additional and mistyped members.
    @Test(arguments: [
        "{}", "[]", #"{"instance":"i","phase":{"starting":{"at":1}},"position":1}"#,
        document(phase: "{}"), document(phase: #"{"starting":{"at":"1"}}"#),
        document(phase: #"{"starting":{"since":1}}"#), document(phase: #"{"ending":{"at":1}}"#),
        document(phase: #"{"following":{"since":1},"starting":{"at":1}}"#),
        document(phase: #"{"changing":{"since":1,"until":2}}"#),
        document(phase: #"{"changing":{"from":{},"since":1,"until":2}}"#),
        document(phase: #"{"starting":{"at":1}}"#, position: "1.5"),
        document(phase: #"{"starting":{"at":1}}"#, position: "1,\"more\":1"),
    ])
    func malformedCursorsAreNotRead(json: String) throws {
        #expect(Cursor(wellFormed: try parseJSON(Array(json.utf8))) == nil)
    }

    private static func document(phase: String, position: String = "1") -> String {
        let rights = #"{"deviceCategory":"m","fingerprint":"f","group":"g","login":"l"}"#
        return #"{"instance":"i","phase":\#(phase),"position":\#(position),"rights":\#(rights)}"#
    }

    @Test func documentsOfTheseTestsAreOfCursors() throws {
        let json = Self.document(phase: #"{"starting":{"at":1}}"#)
        #expect(Cursor(wellFormed: try parseJSON(Array(json.utf8)))?.position == 1)
    }

    /// A record that belonged to a until sequence 5, to b until 8, and now belongs to c.
    @Test(arguments: [
        (Int64(1), Int64(4), "a"), (5, 7, "b"), (4, 5, "ab"), (8, 9, "c"), (1, 9, "abc"),
        (7, 8, "bc"), (1, 1, ""), (9, 4, ""),
    ])
    func recordWasEverybodysOfItsTime(first: Int64, last: Int64, owners: String) {
        let past = RecordPast(
            created: 2, lastChanged: 8,
            ownershipChanges: [
                OwnershipChange(sequence: 5, revision: 2, owner: "a", group: "g"),
                OwnershipChange(sequence: 8, revision: 3, owner: "b", group: "g"),
            ])
        let found = past.ownerships(
            from: first, through: last, now: Ownership(owner: "c", group: "g"))
        #expect(found.map(\.owner).joined() == owners)
    }

    @Test(arguments: ["", "{}", "c1.i.1.1", "[1]", String(repeating: "x", count: 5000)])
    func foreignTokensAreUnreadable(token: String) async throws {
        let bench = try await TestBench(Documents.notes())
        await #expect(throws: SyncError.cursorUnreadable) {
            try await bench.person("a").sync(cursor: token)
        }
    }

    /// A database restored to an earlier state has not reached the cursor's sequence.
    @Test func cursorFromFutureIsForeign() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        let cursor = try await a.sync().cursor
        for (sequence, isKnown) in [(Int64(1), false), (2, true), (3, true)] {
            let caller = Caller(
                asker: a.asker, deviceIdentifier: a.device, isAdmin: false,
                moment: EnvironmentMoment(deployment: 1, sequence: sequence, purgeHorizon: 0))
            let request = SyncRequest(cursor: cursor)
            let now = Instant(milliseconds: 0)
            if isKnown {
                _ = try await bench.engine.sync(request, from: caller, at: now)
            } else {
                await #expect(throws: SyncError.cursorForeign) {
                    try await bench.engine.sync(request, from: caller, at: now)
                }
            }
        }
    }
}
