import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

/// Swift's string comparison equates the Kelvin sign with K, and composed with decomposed letters.
@Suite("Names are compared by bytes")
struct NameTests {
    private static let kelvin = "\u{212A}"

    private func bench() async throws -> TestBench {
        try await TestBench(
            Documents.notes().replacing("\"Note\"", with: "\"Kind\"")
                .replacing("\"secret\"", with: "\"K\""))
    }

    @Test func modelIsFoundByItsBytesOnly() async throws {
        let bench = try await bench()
        let outcomes = try await bench.person("a").push(
            create(1, model: "\(Self.kelvin)ind", ["title": "t"]),
            create(2, model: "kind", ["title": "t"]), create(3, model: "Kind", ["title": "t"]))
        #expect(
            outcomes.map { $0.causes?.map(\.code) } == [["unknownModel"], ["unknownModel"], nil])
    }

    @Test func fieldIsFoundByItsBytesOnly() async throws {
        let bench = try await bench()
        let outcomes = try await bench.person("a").push(
            create(1, model: "Kind", ["title": "t", Self.kelvin: "x"]),
            create(2, model: "Kind", ["title": "t", "K": "x"]))
        #expect(outcomes.map { $0.causes?.map(\.code) } == [["unknownField"], nil])
        #expect(outcomes[0].causes?.first?.field?.utf8.allSatisfy { $0 < 0x80 } == true)
    }

    /// Guids that differ in case belong to different records; some clients write upper case.
    @Test func guidInCapitalsIsAnother() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        var capital = create(0xABC, id: "2", ["title": "t"])
        capital.guid = capital.guid.uppercased()
        _ = try await a.push(create(0xABC, ["title": "t"]), capital)
        #expect(try await a.everything().map(\.guid) == [guid(0xABC), capital.guid])
    }

    @Test func recordIsOfItsOwnModelOnly() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").push(
            create(1, model: "Folder", ["name": "f"]),
            update(1, id: "2", base: 1, model: "Sheet", ["follows": .null]),
            delete(1, id: "3", base: 1, model: "Sheet"))
        #expect(
            outcomes.map { $0.causes?.map(\.code) } == [
                nil, ["recordUnknown"], ["recordUnknown"],
            ])
    }

    @Test func deletionNamesNoFields() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        var change = delete(1, id: "2", base: 1)
        change.fields = ["title": .null]
        #expect(try await a.push(change)[0].causes?.map(\.code) == ["unexpectedFields"])
        #expect(try await a.record(guid(1))?.deleted == false)
    }
}
