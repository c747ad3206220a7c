import DefinitionReports
import TestKit
import Testing

/// The documentation page lists what the reports contain.
@Suite struct DocumentationTests {
    private static func page() throws -> String {
        let path = "Sources/Waggle/Documentation.docc/Reports.md"
        return String(decoding: try bytes(ofFile: path), as: UTF8.self)
    }

    @Test func everyKindOfDifferenceHasItsLine() throws {
        let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| `") }
        let heads = rows.compactMap { $0.split(separator: "|").first }
        let named = Set(heads.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.output.1) } })
        #expect(Difference.Kind.allCases.filter { !named.contains($0.rawValue) } == [])
    }

    @Test func everyWeightAndOwnerHasItsLine() throws {
        let page = try Self.page()
        for name in Impact.allCases.map(\.name) + RecordOwner.allCases.map(\.rawValue) {
            #expect(page.contains("| `\(name)` |"), "\(name)")
        }
    }
}
