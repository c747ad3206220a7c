import MemoryStore
import SyncEngine
import TestKit
import Testing

@Suite("An overlay tells what a store would")
struct OverlayTests {
    /// Facts that were read before the first call of a batch, with what the earlier calls of the
    /// batch write, are the facts that are read at the call's turn.
    @Test(arguments: UInt64(0)..<200)
    func equalsStoreAfterEarlierCalls(seed: UInt64) async throws {
        var random = RandomCalls(seed: seed)
        let version = random.firstVersion(of: 0)
        let store = MemoryDatabase()
        let deployed = try store.deploy(to: "0") { _ in .success(version) }
        let environment = try deployed.get().state.id
        var told = 0
        for batch in 0..<6 {
            let calls = (0..<8).map { _ in random.commit() }
            var read: [Facts] = []
            for call in calls {
                read.append(try await store.facts(of: call, in: environment) { _ in WriteSet() })
            }
            var overlay = Overlay()
            for (number, call) in calls.enumerated() {
                let need = call.need(in: environment)
                let facts = overlay.facts(read[number], for: need, wanting: call.wanted)
                let expected = try await store.facts(of: call, in: environment) { _ in WriteSet() }
                if let facts {
                    try #require(facts == expected, "batch \(batch), call \(number): \(call)")
                    told += 1
                }
                guard let writes = call.writes?.ofRecords(knownBy: expected) else { continue }
                // A store that refuses the writes has written nothing.
                let written = try? await store.facts(of: call, in: environment) { _ in writes }
                if written != nil { overlay.add(writes, of: call.device) }
            }
        }
        // At least the first call of each batch.
        #expect(told >= 6)
    }
}

extension Commit {
    /// Without base revisions: the history of random calls does not match their records.
    fileprivate func need(in environment: EnvironmentID) -> ReadSet {
        ReadSet(
            environment: environment, device: device, changeIDs: changeIDs, guids: guids,
            baseRevisions: [:], files: files)
    }
}

extension MemoryDatabase {
    fileprivate func facts(
        of call: Commit, in environment: EnvironmentID,
        writing writes: @escaping @Sendable (Facts) -> WriteSet
    ) async throws -> Facts {
        try await commit(call.need(in: environment), reading: nil) { _ in
            call.wanted
        } deciding: { facts in
            (writes(facts), facts)
        }.result
    }
}
