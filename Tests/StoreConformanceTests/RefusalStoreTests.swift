import ChangeRules
import FileExchange
import SyncEngine
import TestKit
import Testing
import UserAccounts
import WholeRecordSync

@Suite("A store keeps what was refused")
struct RefusalStoreTests {
    private let most = RefusalLimits(count: 100, bytes: 1 << 20, contentBytes: 100)

    private func refusal(
        _ guid: String, _ content: String = #"{"action":"update"}"#, of login: String = "a",
        on device: String = "phone", _ causes: [Cause] = [Cause(.empty, field: "title")],
        contents: KeptContents? = nil
    ) -> RefusedInput {
        RefusedInput(
            device: DeviceKey(login: login, deviceIdentifier: device), model: "Note", guid: guid,
            content: content, causes: causes, contents: contents)
    }

    private func contents(_ digit: String, size: Int64) throws -> KeptContents {
        KeptContents(
            hash: try #require(ContentHash(hex: String(repeating: digit, count: 64))), size: size)
    }

    private func keep(
        _ refusals: [RefusedInput], of login: String = "a", at time: Int64 = 1,
        in environment: EnvironmentID, _ bench: StoreBench, limits: RefusalLimits? = nil
    ) async throws -> [RefusedInput]? {
        try await bench.store.keep(
            refusals, of: login, in: environment, at: Instant(milliseconds: time),
            limits: limits ?? most)
    }

    private func list(
        _ environment: EnvironmentID, _ bench: StoreBench, after number: Int64 = 0,
        limit: Int = 100
    ) async throws -> [StoredRefusal] {
        try await bench.store.refusals(in: environment, after: number, limit: limit)
    }

    @Test(arguments: stores) func refusalsAreListedInOrder(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        let reason = RecordedReason(code: "c", message: "e\u{301}\u{1}", argument: nil)
        let all = [
            refusal("b"), refusal("a", #"{"data":"\u0000"}"#),
            refusal("b", of: "e\u{301}", [Cause(.recorded(reason)), Cause(.notUnique)]),
        ]
        #expect(
            try await keep(Array(all[..<2]), at: 5, in: environment, bench)
                == Array(all[..<2]))
        #expect(
            try await keep([all[2]], of: "e\u{301}", at: 4, in: environment, bench) == [all[2]])
        let listed = try await list(environment, bench)
        #expect(listed.map(\.refusal) == all && listed.map(\.at.milliseconds) == [5, 5, 4])
        #expect(listed.map(\.number) == [1, 2, 3])
        #expect(
            try await list(environment, bench, after: 1, limit: 1).map(\.number) == [2])
        #expect(try await list(other, bench) == [])
    }

    @Test(arguments: stores) func repetitionIsNotAdded(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let one = refusal("a")
        let others = [
            refusal("b"), refusal("a", "{}"), refusal("a", on: "tablet"), refusal("a", of: "a", []),
            refusal("a", contents: try contents("1", size: 1)),
            refusal("a", contents: try contents("2", size: 0)),
        ]
        #expect(try await keep([one], in: environment, bench) == [one])
        #expect(try await keep([one] + others, in: environment, bench) == others)
        #expect(try await list(environment, bench).map(\.refusal) == [one] + others)
    }

    @Test(arguments: stores) func eachUserHasRoomForSome(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let two = RefusalLimits(count: 2, bytes: 1 << 20, contentBytes: 0)
        #expect(
            try await keep(["a", "b"].map { refusal($0) }, in: environment, bench, limits: two)
                != nil)
        #expect(try await keep([refusal("c")], in: environment, bench, limits: two) == nil)
        #expect(try await keep([refusal("a")], in: environment, bench, limits: two) == [])
        #expect(
            try await keep(
                [refusal("c", of: "b")], of: "b", in: environment, bench, limits: two) != nil)
        let bytes = RefusalLimits(count: 9, bytes: refusal("a").bytes * 3, contentBytes: 0)
        #expect(try await keep([refusal("d")], in: environment, bench, limits: bytes) != nil)
        #expect(try await keep([refusal("e")], in: environment, bench, limits: bytes) == nil)
        #expect(try await list(environment, bench).map(\.refusal.guid) == ["a", "b", "c", "d"])
    }

    @Test(arguments: stores) func contentsAreHeldWhileTheyAreListed(_ kind: StoreKind) async throws
    {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let (first, second) = (try contents("1", size: 60), try contents("2", size: 41))
        let hashes: Set = [first.hash, second.hash]
        #expect(try await bench.store.held(contents: hashes) == [])
        #expect(try await keep([refusal("a", contents: first)], in: environment, bench) != nil)
        #expect(try await keep([refusal("b", contents: second)], in: environment, bench) == nil)
        #expect(try await keep([refusal("c")], in: environment, bench) != nil)
        #expect(
            try await keep(
                [refusal("b", of: "b", contents: second)], of: "b", in: environment, bench)
                != nil)
        #expect(try await bench.store.held(contents: hashes) == hashes)
        #expect(try await bench.store.removeRefusals([1], in: environment) == 1)
        #expect(try await bench.store.held(contents: hashes) == [second.hash])
    }

    /// They outlive their user.
    @Test(arguments: stores) func refusalsAreRemovedByNumberAndAge(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (guid, time) in [("a", 3), ("b", 1), ("c", 2), ("d", 4)] as [(String, Int64)] {
            _ = try await keep([refusal(guid)], at: time, in: environment, bench)
        }
        #expect(try await bench.store.removeRefusals([1, 9], in: environment) == 1)
        func sweep(before time: Int64, limit: Int) async throws -> Int {
            try await bench.store.sweepRefusals(
                SweepRequest(
                    environment: environment, before: Instant(milliseconds: time), limit: limit))
        }
        #expect(try await sweep(before: 3, limit: 1) == 1)
        #expect(try await list(environment, bench).map(\.refusal.guid) == ["c", "d"])
        #expect(try await sweep(before: 4, limit: 9) == 1)
        #expect(try await list(environment, bench).map(\.refusal.guid) == ["d"])
    }
}

@Suite("A store knows the files of devices")
struct DeviceFileStoreTests {
    private let phone = DeviceKey(login: "a", deviceIdentifier: "phone")
    private let tablet = DeviceKey(login: "a", deviceIdentifier: "tablet")

    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let user = User(login: "a", group: "g", mail: "", isAdmin: false, passwordHash: "h")
        try await change(.write(user, endingSessions: false), in: environment, bench)
        return (bench, environment)
    }

    private func change(
        _ change: UserChange, in environment: EnvironmentID, _ bench: StoreBench
    ) async throws {
        let refusal = try await bench.store.changeUser("a", in: environment) { _ in
            Result<UserChange, StoreError>.success(change)
        }
        #expect(refusal == nil)
    }

    private func all(
        of device: DeviceKey, in environment: EnvironmentID, _ bench: StoreBench
    ) async throws -> Set<FileOnDevice> {
        Set(
            try await bench.store.deviceFiles(
                of: device, namedBy: ["r", "s", "t"], in: environment))
    }

    private let held = FileOnDevice(record: "r", file: "f")
    private let sent = FileOnDevice(record: "r", file: "g", ticket: "1")
    private let owed = FileOnDevice(record: "s", file: "f", ticket: "")
    private let leaving = FileOnDevice(record: "t", file: "f", ticket: "1", isLeaving: true)

    @Test(arguments: stores) func refusalsAreFoundByRecordAndFile(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let files = [held, sent, owed, leaving]
        try await bench.store.putDeviceFiles(files, of: phone, in: environment)
        #expect(try await all(of: phone, in: environment, bench) == Set(files))
        #expect(try await all(of: tablet, in: environment, bench) == [])
        #expect(
            try await bench.store.deviceFiles(of: phone, namedBy: ["s"], in: environment) == [owed])
        let found = try await bench.store.deviceFiles(
            of: phone, amongFiles: ["g", "x"], in: environment)
        #expect(found == [sent])
        let later = FileOnDevice(record: "t", file: "g", ticket: FileOnDevice.later)
        try await bench.store.putDeviceFiles([later], of: phone, in: environment)
        let due = try await bench.store.owedFiles(of: phone, in: environment, limit: 9)
        #expect(due == [sent, later, owed])
        #expect(
            try await bench.store.owedFiles(of: phone, in: environment, limit: 1) == [sent])
    }

    @Test(arguments: stores) func confirmationSettlesItsTicket(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        try await bench.store.putDeviceFiles(
            [held, sent, owed, leaving], of: phone, in: environment)
        try await bench.store.settleDeviceFiles(of: phone, ticket: "2", in: environment)
        #expect(
            try await all(of: phone, in: environment, bench) == [held, sent, owed, leaving])
        try await bench.store.settleDeviceFiles(of: phone, ticket: "1", in: environment)
        let settled = FileOnDevice(record: "r", file: "g")
        #expect(try await all(of: phone, in: environment, bench) == [held, settled, owed])
        // One entry for each record and file.
        try await bench.store.putDeviceFiles([sent], of: phone, in: environment)
        #expect(try await all(of: phone, in: environment, bench) == [held, sent, owed])
    }

    /// They are deleted and settled in several transactions.
    @Test(arguments: stores, [999, 1000, 2001])
    func manyFilesOfDeviceAreSettledAndForgotten(_ kind: StoreKind, count: Int) async throws {
        let (bench, environment) = try await filled(kind)
        func files(_ ticket: String?, isLeaving: Bool = false) -> [FileOnDevice] {
            (0..<count).map {
                FileOnDevice(
                    record: isLeaving ? "s" : "r", file: "\($0)", ticket: ticket,
                    isLeaving: isLeaving)
            }
        }
        for device in [phone, tablet] {
            try await bench.store.putDeviceFiles(
                files("1") + files("1", isLeaving: true) + [owed], of: device, in: environment)
        }
        try await bench.store.settleDeviceFiles(of: phone, ticket: "1", in: environment)
        #expect(
            try await all(of: phone, in: environment, bench) == Set(files(nil) + [owed]))
        try await bench.store.forgetDeviceFiles(of: phone, in: environment)
        #expect(try await all(of: phone, in: environment, bench) == [])
        #expect(try await all(of: tablet, in: environment, bench).count == 2 * count + 1)
        try await change(.remove, in: environment, bench)
        #expect(try await bench.store.user("a", in: environment) == nil)
        #expect(try await all(of: tablet, in: environment, bench) == [])
    }

    @Test(arguments: stores) func refusalsAreRemovedWithTheirUser(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        try await bench.store.putDeviceFiles([held], of: phone, in: environment)
        try await bench.store.putDeviceFiles([sent], of: tablet, in: environment)
        try await bench.store.forgetDeviceFiles(of: phone, in: environment)
        #expect(try await all(of: phone, in: environment, bench) == [])
        #expect(try await all(of: tablet, in: environment, bench) == [sent])
        try await change(.remove, in: environment, bench)
        #expect(try await all(of: tablet, in: environment, bench) == [])
        try await bench.store.putDeviceFiles([held], of: phone, in: environment)
        #expect(try await all(of: phone, in: environment, bench) == [])
    }
}
