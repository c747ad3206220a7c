import Administration
import SyncEngine
import TestKit
import Testing

@Suite("Environments and their versions")
struct EnvironmentTests {
    private func deploy(
        _ version: String, to name: String, on store: any Store, instance: String = "i"
    ) async throws -> EnvironmentState {
        try await store.deploy(to: name) { _ in
            .success(.test(version, deployedAt: 7, instance: instance))
        }.get().state
    }

    @Test(arguments: stores)
    func renamedEnvironmentsAreDeployedAgain(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", to: "test", on: bench.store)
        let other = try await deploy("one", to: "other", on: bench.store)
        try await bench.store.write(WriteSet(records: [.test("g")]), in: first.id)
        #expect(try await !bench.store.renameDeployed(first.id, to: "other"))
        #expect(try await bench.store.renameDeployed(first.id, to: "live"))
        #expect(try await bench.store.environment(named: "test") == nil)
        let live = try #require(try await bench.store.environment(named: "live"))
        let deployments = try await bench.store.deployments(of: first.id, before: nil, limit: 9)
        #expect(deployments.map(\.version) == [1, 1])
        #expect(live.id == first.id && live.sequence == 1 && live.source == first.source)
        #expect(live.instance == first.instance && live.fingerprint == first.fingerprint)
        #expect(live.deployment != first.deployment && live.deployment != other.deployment)
        #expect(try await bench.store.versions(of: first.id).map(\.sequence) == [0, 1])
    }

    @Test(arguments: stores)
    func removedEnvironmentsLeaveOthersAlone(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", to: "test", on: bench.store)
        let other = try await deploy("one", to: "other", on: bench.store)
        for id in [first.id, other.id] {
            try await bench.store.write(WriteSet(records: [.test("g")]), in: id)
        }
        try await bench.store.remove(first.id)
        #expect(try await bench.store.environment(named: "test") == nil)
        let present = try await bench.store.environments()
        #expect(present.map(\.name) == ["other"])
        #expect(try await bench.store.environment(named: "other")?.sequence == 1)
        let again = try await deploy("one", to: "test", on: bench.store)
        #expect(again.sequence == 0 && again.deployment != first.deployment)
        await #expect(throws: StoreError.environmentGone) {
            try await bench.store.remove(EnvironmentID(number: 4711))
        }
        await #expect(throws: StoreError.environmentGone) {
            _ = try await bench.store.renameDeployed(EnvironmentID(number: 4711), to: "x")
        }
    }

    @Test(arguments: stores)
    func openConflictsAreCounted(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", to: "test", on: bench.store)
        #expect(try await bench.store.openConflictCount(in: first.id) == 0)
        let other = try await deploy("one", to: "other", on: bench.store)
        var writes = WriteSet(records: [.test("a"), .test("b")])
        writes.openedConflicts = ["a", "b"].map {
            StoredConflict(guid: $0, revision: 1, text: "{}")
        }
        try await bench.store.write(writes, in: first.id)
        #expect(try await bench.store.openConflictCount(in: first.id) == 2)
        #expect(try await bench.store.openConflictCount(in: other.id) == 0)
        #expect(
            try await bench.store.openConflictsByModel(in: first.id)
                == [ModelConflicts(model: "Note", count: 2)])
        #expect(try await bench.store.openConflictsByModel(in: other.id).isEmpty)
    }

    @Test(arguments: stores) func newStoreIsHealthyAndEmpty(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await bench.store.checkHealth()
        #expect(try await bench.store.environment(named: "test") == nil)
    }

    @Test(arguments: stores)
    func newVersionKeepsEnvironmentItsDataAndItsInstance(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", to: "test", on: bench.store, instance: "i")
        #expect(first.sequence == 0)
        let id = first.id
        try await bench.store.write(WriteSet(records: [.test("g"), .test("h")]), in: id)
        let second = try await deploy("two", to: "test", on: bench.store, instance: "j")
        #expect(
            second
                == EnvironmentState(
                    id: id, name: "test", instance: "i", sequence: 2,
                    deployment: second.deployment, digest: "digest", fingerprint: "two",
                    source: Array("two".utf8), deployedAt: Instant(milliseconds: 7)))
        #expect(try await bench.store.environment(named: "test") == second)
        #expect(try await bench.store.environment(named: "other") == nil)
    }

    @Test(arguments: stores)
    func onlyUnusedEnvironmentGetsAnotherInstance(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", to: "test", on: bench.store, instance: "i")
        func replace(
            _ version: String, _ instance: String
        ) async throws
            -> Result<Deployed, DeploymentRefusal>
        {
            try await bench.store.deploy(to: "test") { _ in
                .success(.test(version, instance: instance, replacesInstance: true))
            }
        }
        let second = try await replace("two", "j").get().state
        #expect(second.id == first.id && second.instance == "j")
        try await bench.store.write(WriteSet(records: [.test("g")]), in: first.id)
        #expect(try await replace("three", "k") == .failure(.instanceInUse))
        let state = try #require(try await bench.store.environment(named: "test"))
        #expect(state.instance == "j" && state.fingerprint == "two")
    }

    @Test(arguments: stores)
    func environmentsAreListedWithTheirCurrentDeployment(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        #expect(try await bench.store.environments() == [])
        var expected: [String: Int64] = [:]
        for (version, name) in [("one", "b"), ("one", "a"), ("two", "b")] {
            expected[name] = try await deploy(version, to: name, on: bench.store).deployment
        }
        let listed = try await bench.store.environments()
        #expect(listed.map(\.name) == ["b", "a"])
        #expect(listed.map(\.deployment) == [expected["b"], expected["a"]])
    }

    @Test(arguments: stores)
    func noTwoDeploymentsHaveTheSameNumber(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        var numbers: [Int64] = []
        for (version, name) in [("one", "a"), ("one", "b"), ("two", "a"), ("one", "a")] {
            numbers.append(try await deploy(version, to: name, on: bench.store).deployment)
        }
        #expect(Set(numbers).count == 4)
    }

    @Test(arguments: stores)
    func environmentsHaveTheirOwnVersionsAndRecords(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let names = ["a", "b", "c"]
        for name in names { _ = try await deploy(name, to: name, on: bench.store, instance: name) }
        let middle = try #require(try await bench.store.environment(named: "b")).id
        try await bench.store.write(WriteSet(records: [.test("g")]), in: middle)
        _ = try await deploy("b2", to: "b", on: bench.store, instance: "x")
        for name in names {
            let state = try #require(try await bench.store.environment(named: name))
            #expect(state.fingerprint == (name == "b" ? "b2" : name) && state.instance == name)
            #expect(state.sequence == (name == "b" ? 1 : 0))
        }
    }

    @Test(arguments: stores)
    func versionsAreReturnedInOrder(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let state = try await deploy("one", to: "test", on: bench.store)
        _ = try await deploy("two", to: "test", on: bench.store)
        try await bench.store.write(WriteSet(records: [.test("g"), .test("h")]), in: state.id)
        _ = try await deploy("one", to: "test", on: bench.store)
        _ = try await deploy("three", to: "other", on: bench.store)
        let versions = try await bench.store.versions(of: state.id)
        #expect(
            versions.map { String(decoding: $0.source, as: UTF8.self) } == ["one", "two", "one"])
        #expect(versions.map(\.sequence) == [0, 0, 2])
    }

    @Test(arguments: stores)
    func deploymentReadsPresentVersionAndMayKeepIt(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let refused = try await bench.store.deploy(to: "test") { present in
            present == nil ? .failure(.overtaken) : .success(.test())
        }
        #expect(refused == .failure(.overtaken))
        #expect(try await bench.store.environment(named: "test") == nil)
        let state = try await deploy("one", to: "test", on: bench.store)
        let left = try await bench.store.deploy(to: "test") { present in
            present == state ? .failure(.overtaken) : .success(.test())
        }
        #expect(left == .failure(.overtaken))
        #expect(try await bench.store.environment(named: "test") == state)
        #expect(try await bench.store.versions(of: state.id).count == 1)
    }

    /// Each deployment replaces the one that it read, so every version except the first names
    /// another one.
    @Test(arguments: stores)
    func deploymentsSideBySideSeeEachOther(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    _ = try await bench.store.deploy(to: "test") { present in
                        .success(.test("\(number) after \(present?.deployment ?? 0)"))
                    }.get()
                }
            }
            try await group.waitForAll()
        }
        let state = try #require(try await bench.store.environment(named: "test"))
        let versions = try await bench.store.versions(of: state.id)
        let replaced = versions.compactMap {
            String(decoding: $0.source, as: UTF8.self).split(separator: " ").last
        }
        #expect(versions.count == 16 && Set(replaced).count == 16)
        #expect(replaced.first == "0")
    }

    /// One of several concurrent keys is stored, and all callers get it.
    @Test(arguments: stores)
    func firstKeyToItsCursorsStays(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let one = try await bench.store.environment()
        let two = try await bench.store.environment("b")
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in UInt8(0)..<16 {
                group.addTask {
                    try await bench.store.key(.cursors, of: one, orStoring: [number, 0, 255])
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try await bench.store.key(.cursors, of: one, orStoring: [99]) == keys.first)
        #expect(try await bench.store.key(.cursors, of: two, orStoring: [99]) == [99])
    }

    @Test(arguments: stores)
    func environmentThatIsNotThereTakesNothing(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        _ = try await bench.store.environment()
        let nowhere = EnvironmentID(number: 99)
        await #expect(throws: StoreError.environmentGone) {
            try await bench.store.write(WriteSet(records: [.test("g")]), in: nowhere)
        }
        await #expect(throws: StoreError.environmentGone) {
            try await bench.store.page(in: nowhere)
        }
    }
}
