import ChangeRules
import SyncEngine
import TestKit
import Testing

@Suite("A store finds unseen changes of related records")
struct GraphTests {
    private static let relation = RelationName(model: "Note", field: "parent")

    /// A parent and its child, created by the first two changes of the environment.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [
            .test("parent"), .test("child", fieldsText: #"{"parent":"parent"}"#),
        ])
        writes.links = [RecordLink(source: "child", target: "parent")]
        writes.history = [
            .test("parent", revision: 1, kind: .created),
            .test("child", revision: 1, kind: .created),
        ]
        try await bench.store.write(writes, in: environment)
        return (bench, environment)
    }

    private func unseen(
        of graph: GraphNeed, seen sequence: Int64, device: DeviceKey, in bench: StoreBench,
        _ environment: EnvironmentID
    ) async throws -> Set<String> {
        let need = ReadSet(
            environment: environment, device: device, changeIDs: [], guids: [graph.guid],
            baseRevisions: [:], graphs: [graph], seenSequence: sequence)
        return try await bench.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts.unseenGraphs)
        }
    }

    private static let other = DeviceKey(login: "b", deviceIdentifier: "phone")

    private static let child = GraphNeed(
        guid: "child", relations: [relation], sources: [], targets: [])
    private static let parent = GraphNeed(
        guid: "parent", relations: [], sources: [relation], targets: [])
    private static let mover = GraphNeed(
        guid: "mover", relations: [], sources: [], targets: ["parent"])

    @Test(
        arguments: stores,
        [
            (child, "parent"), (parent, "child"), (mover, "parent"),
        ])
    func byItsOwnRelationTheOthersAndTheNewOne(
        _ kind: StoreKind, graph: (need: GraphNeed, changed: String)
    ) async throws {
        let (bench, environment) = try await filled(kind)
        let guid = graph.need.guid
        #expect(
            try await unseen(
                of: graph.need, seen: 2, device: Self.other, in: bench, environment) == [])
        let text = graph.changed == "child" ? #"{"parent":"parent"}"# : "{}"
        var writes = WriteSet(records: [.test(graph.changed, revision: 2, fieldsText: text)])
        writes.history = [.test(graph.changed, revision: 2)]
        try await bench.store.write(writes, in: environment)
        #expect(
            try await unseen(
                of: graph.need, seen: 2, device: Self.other, in: bench, environment) == [guid])
        #expect(
            try await unseen(
                of: graph.need, seen: 3, device: Self.other, in: bench, environment) == [])
        #expect(
            try await unseen(
                of: graph.need, seen: 2, device: .test, in: bench, environment) == [])
    }

    @Test(arguments: stores, HistoryEntry.Kind.allCases)
    func onlyAppliedChangesCount(_ kind: StoreKind, of entry: HistoryEntry.Kind) async throws {
        let (bench, environment) = try await filled(kind)
        var writes = WriteSet(records: [.test("parent", revision: 2)])
        writes.history = [.test("parent", revision: 2, kind: entry)]
        try await bench.store.write(writes, in: environment)
        let found = try await unseen(
            of: Self.child, seen: 2, device: Self.other, in: bench, environment)
        #expect(found == (entry.tookEffect ? ["child"] : []))
    }

    @Test(arguments: stores)
    func endedRelationDoesNotCount(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        var writes = WriteSet(records: [.test("child", revision: 2, fieldsText: "{}")])
        writes.endedLinks = [RecordLink(source: "child", target: "parent")]
        writes.history = [.test("child", revision: 2)]
        try await bench.store.write(writes, in: environment)
        for graph in [Self.child, Self.parent] {
            #expect(
                try await unseen(
                    of: graph, seen: 2, device: Self.other, in: bench, environment) == [])
        }
    }
}
