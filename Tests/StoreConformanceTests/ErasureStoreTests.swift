import SyncEngine
import TestKit
import Testing
import UserAccounts
import WholeRecordSync

@Suite("Erasure of persons")
struct ErasureStoreTests {
    @Test(arguments: stores) func erasuresAreListedByLogin(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        func erasure(_ login: String, at time: Int64) -> Erasure {
            Erasure(login: login, at: Instant(milliseconds: time), author: "operator")
        }
        for erasure in [erasure("b", at: 1), erasure("a", at: 2), erasure("b", at: 3)] {
            try await bench.store.add(erasure, in: bench.one)
        }
        #expect(
            try await bench.store.erasures(in: bench.one)
                == [erasure("a", at: 2), erasure("b", at: 3)])
        #expect(try await bench.store.erasures(in: bench.two) == [])
        for (login, limit, logins) in [
            ("", 1, ["a"]), ("", 2, ["a", "b"]), ("a", 5, ["b"]), ("b", 5, []),
        ] {
            let page = try await bench.store.erasures(in: bench.one, after: login, limit: limit)
            #expect(page.map(\.login) == logins)
        }
    }

    /// A record that somebody has changed since it was erased stays as it is.
    @Test(arguments: stores) func redactionKeepsLastEntryOnly(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for guid in ["g", "h"] {
            for revision in Int64(1)...3 {
                var writes = WriteSet(records: [.test(guid, revision: revision)])
                if guid == "g", revision == 3 {
                    writes.records[0].isDeleted = true
                    writes.records[0].fieldsText = "{}"
                }
                writes.history = [.test(guid, revision: revision)]
                writes.openedConflicts = [
                    StoredConflict(guid: guid, revision: revision, text: "{}")
                ]
                try await bench.store.write(writes, in: bench.one)
            }
        }
        let left = try await bench.store.redact(["g", "unknown", "h"], in: bench.one)
        #expect(left == ["h"])
        func revisions(of guid: String) async throws -> [Int64]? {
            try await bench.store.history(
                HistoryRequest(
                    environment: bench.one, guid: guid, before: nil, limit: 9, maxBytes: 999)
            )?.entries.map(\.revision)
        }
        #expect(try await revisions(of: "g") == [3])
        #expect(try await revisions(of: "h") == [3, 2, 1])
        #expect(try await bench.store.openConflictCount(in: bench.one) == 3)
    }

    @Test(arguments: stores) func personIsForgottenAndOthersStay(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for (token, login) in [(UInt8(1), "a"), (2, "b")] {
            #expect(try await bench.open(token, of: login))
        }
        try await bench.store.forgetPerson("a", in: bench.one)
        try await bench.store.forgetPerson("a", in: bench.one)
        #expect(try await bench.store.users(in: bench.one).map(\.login) == ["b"])
        #expect(try await bench.store.users(in: bench.two).map(\.login) == ["a", "b"])
        #expect(try await !bench.isOpen(1))
        #expect(try await bench.isOpen(2))
    }

    /// Others may have sent values for records of the person.
    @Test(arguments: stores) func refusalsForRecordsOfPersonAreForgotten(
        _ kind: StoreKind
    ) async throws {
        let bench = try await SessionBench(kind)
        var other = StoredRecord.test("of b")
        other.owner = "b"
        try await bench.store.write(WriteSet(records: [.test("of a"), other]), in: bench.one)
        for (login, guid) in [
            ("a", "unknown"), ("b", "of a"), ("b", "of b"), ("b", "unknown"),
        ] {
            let refusal = RefusedInput(
                device: DeviceKey(login: login, deviceIdentifier: "phone"), model: "Note",
                guid: guid, content: #"{"action":"update"}"#, causes: [])
            let kept = try await bench.store.keep(
                [refusal], of: login, in: bench.one, at: Instant(milliseconds: 1),
                limits: RefusalLimits(count: 100, bytes: 1 << 20, contentBytes: 100))
            #expect(kept == [refusal])
        }
        try await bench.store.forgetPerson("a", in: bench.one)
        let left = try await bench.store.refusals(in: bench.one, after: 0, limit: 9)
        #expect(left.map(\.refusal.guid) == ["of b", "unknown"])
        #expect(left.allSatisfy { $0.refusal.device.login == "b" })
    }
}
