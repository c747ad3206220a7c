import Notifications
import SyncEngine
import TestKit
import Testing
import UserAccounts
import WholeRecordSync

extension SessionBench {
    /// Opens the session `token` on the device of the same number.
    fileprivate func signIn(
        _ login: String = "a", on device: UInt8, at now: Int64, sessions: Int = 100,
        devices: Int = 100, until end: Int64 = 1000
    ) async throws {
        let isOpen = try await store.openSession(
            Session(
                tokenHash: [device], environment: one, login: login, deviceCategory: "mobile",
                deviceIdentifier: "\(device)", expiresAt: Instant(milliseconds: end)),
            passwordHash: "hash", from: .test(login),
            within: SignInLimits(sessions: sessions, devices: devices),
            at: Instant(milliseconds: now))
        #expect(isOpen)
    }

    fileprivate func knows(_ device: UInt8, of login: String = "a") async throws -> Bool {
        try await store.hasSignedIn(
            DeviceKey(login: login, deviceIdentifier: "\(device)"), in: one)
    }

    /// An outcome, progress, a push token and a file of a device.
    fileprivate func leaveTraces(_ device: UInt8, of login: String = "a") async throws {
        let key = DeviceKey(login: login, deviceIdentifier: "\(device)")
        var writes = WriteSet()
        writes.outcomes = [StoredOutcome(changeID: "c", text: "{}")]
        try await store.write(writes, in: one, device: key)
        try await store.changeProgress(of: key, in: one) { _ in
            (DeviceProgress(confirmed: "here"), ())
        }
        let token = PushToken(
            device: key, deviceCategory: "mobile", type: "http", text: "secret",
            at: Instant(milliseconds: 1))
        #expect(try await store.register(token, in: one, max: 100))
        try await store.putDeviceFiles(
            [FileOnDevice(record: "r", file: "f")], of: key, in: one)
    }

    /// The number of traces that are left of a device.
    fileprivate func traces(_ device: UInt8, of login: String = "a") async throws -> Int {
        let key = DeviceKey(login: login, deviceIdentifier: "\(device)")
        let outcomes = try await store.facts(in: one, device: key, changeIDs: ["c"]).outcomes
        let progress = try await store.changeProgress(of: key, in: one) { (nil, $0) }
        let tokens = try await store.pushTokens(PushTokenQuery(environment: one, limit: 100))
        let files = try await store.deviceFiles(of: key, namedBy: ["r"], in: one)
        return outcomes.count + (progress == nil ? 0 : 1) + files.count
            + tokens.count { $0.token.device == key }
    }
}

@Suite("Known devices")
struct KnownDeviceTests {
    @Test(arguments: stores)
    func deviceIsKnownOnceItHasSignedIn(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await !bench.knows(1))
        try await bench.signIn(on: 1, at: 0)
        try await bench.store.endSession(tokenHash: [1])
        #expect(try await bench.knows(1))
        #expect(try await !bench.knows(2))
        #expect(try await !bench.knows(1, of: "b"))
        try await bench.remove("a")
        try await bench.put("a", in: bench.one)
        #expect(try await !bench.knows(1))
    }

    @Test(arguments: stores)
    func excessSessionEndsTheOldest(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        try await bench.signIn("b", on: 9, at: 0, until: 100)
        for device in UInt8(1)...4 {
            try await bench.signIn(
                on: device, at: 0, sessions: 3, until: device == 1 ? 900 : 500 + Int64(device))
        }
        var open: [UInt8] = []
        for device in [1, 2, 3, 4, 9] as [UInt8] {
            if try await bench.isOpen(device) { open.append(device) }
        }
        #expect(open == [1, 3, 4, 9])
    }

    /// Its state is that of a new device: it is sent the files again.
    @Test(arguments: stores)
    func deviceThatReturnsIsNew(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        let phone = DeviceKey(login: "a", deviceIdentifier: "1")
        try await bench.signIn(on: 1, at: 0)
        let files = (0..<2500).map { FileOnDevice(record: "r", file: "\($0)") }
        try await bench.store.putDeviceFiles(files, of: phone, in: bench.one)
        let changes = (0..<2500).map { "c\($0)" }
        var writes = WriteSet()
        writes.outcomes = changes.map { StoredOutcome(changeID: $0, text: "{}") }
        try await bench.store.write(writes, in: bench.one, device: phone)
        try await bench.signIn(on: 2, at: 1, devices: 1)
        try await bench.signIn(on: 1, at: 2, devices: 1)
        let known = try await bench.store.facts(
            in: bench.one, device: phone, changeIDs: changes)
        #expect(known.outcomes.isEmpty)
        let left = try await bench.store.deviceFiles(of: phone, namedBy: ["r"], in: bench.one)
        #expect(left.isEmpty)
        try await bench.store.putDeviceFiles([files[0]], of: phone, in: bench.one)
        let found = try await bench.store.deviceFiles(of: phone, namedBy: ["r"], in: bench.one)
        #expect(found == [files[0]])
    }

    /// By a clock that was set back, the present device signs in first of all.
    @Test(arguments: stores)
    func excessDeviceReplacesTheOldest(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for (device, time) in [(1, 30), (2, 10), (3, 20)] as [(UInt8, Int64)] {
            try await bench.signIn(on: device, at: time, devices: 3)
            try await bench.leaveTraces(device)
        }
        try await bench.signIn(on: 4, at: 5, devices: 3)
        try await bench.leaveTraces(4)
        for device in [1, 3, 4] as [UInt8] {
            #expect(try await bench.knows(device))
            #expect(try await bench.isOpen(device))
            #expect(try await bench.traces(device) == 4)
        }
        #expect(try await !bench.knows(2))
        #expect(try await !bench.isOpen(2))
        #expect(try await bench.traces(2) == 0)
    }

    @Test(arguments: stores)
    func oldDevicesWithoutSessionAreForgotten(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for device in UInt8(1)...4 {
            try await bench.signIn(on: device, at: Int64(device) * 10)
            try await bench.leaveTraces(device)
            if device != 2 { try await bench.store.endSession(tokenHash: [device]) }
        }
        func sweep(before time: Int64, limit: Int = 9) async throws -> Int {
            try await bench.store.forgetDevices(
                SweepRequest(
                    environment: bench.one, before: Instant(milliseconds: time), limit: limit))
        }
        #expect(try await sweep(before: 10) == 0)
        #expect(try await sweep(before: 40, limit: 1) == 1)
        #expect(try await bench.traces(1) == 0)
        #expect(try await sweep(before: 40) == 1)
        for (device, isKnown) in [(1, false), (2, true), (3, false), (4, true)] as [(UInt8, Bool)] {
            #expect(try await bench.knows(device) == isKnown)
            #expect(try await bench.traces(device) == (isKnown ? 4 : 0))
        }
    }

    /// Tokens of installations whose user signed in in a browser, and of guests.
    @Test(arguments: stores)
    func oldTokensOfUnknownDevicesAreForgotten(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        func register(
            _ device: String, of login: String, at time: Int64, _ guest: GuestSource? = nil
        ) async throws {
            let token = PushToken(
                device: DeviceKey(login: login, deviceIdentifier: device),
                deviceCategory: "mobile", type: "apns", text: "t",
                at: Instant(milliseconds: time))
            #expect(
                try await bench.store.register(token, in: bench.one, max: 9, ofGuest: guest))
        }
        try await bench.signIn("a", on: 1, at: 1)
        try await bench.put("b", in: bench.one)
        try await register("1", of: "a", at: 2)
        try await register("x", of: "a", at: 2)
        for (device, time) in [("p", 5), ("q", 6), ("r", 9)] as [(String, Int64)] {
            try await register(device, of: "b", at: time)
        }
        try await register("g", of: "b", at: 2, GuestSource(hash: [1], max: 9))
        func left(before time: Int64, limit: Int = 9) async throws -> (Int, [String]) {
            let count = try await bench.store.forgetDevices(
                SweepRequest(
                    environment: bench.one, before: Instant(milliseconds: time), limit: limit))
            let held = try await bench.store.pushTokens(
                PushTokenQuery(environment: bench.one, limit: 100))
            return (count, held.map(\.token.device.deviceIdentifier))
        }
        #expect(try await left(before: 5) == (0, ["1", "g", "p", "q", "r", "x"]))
        #expect(try await left(before: 9, limit: 1) == (1, ["1", "g", "q", "r", "x"]))
        #expect(try await left(before: 9) == (1, ["1", "g", "r", "x"]))
        try await bench.store.endSession(tokenHash: [1])
        #expect(try await left(before: 9) == (2, ["g", "r"]))
    }

    @Test(arguments: stores)
    func outcomesGoWithTheirUser(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for login in ["a", "b"] {
            try await bench.signIn(login, on: 1, at: 0, until: login == "a" ? 5 : 6)
            try await bench.store.endSession(tokenHash: [1])
            try await bench.leaveTraces(2, of: login)
        }
        try await bench.remove("a")
        try await bench.put("a", in: bench.one)
        #expect(try await bench.traces(2) == 0)
        #expect(try await bench.traces(2, of: "b") == 4)
    }
}
