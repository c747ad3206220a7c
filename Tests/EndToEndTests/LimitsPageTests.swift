import Foundation
import Testing

/// The page *Limits* agrees with the tool and with the other pages.
@Suite struct LimitsPageTests {
    private let pages: [DocumentedPage]
    private let page: DocumentedPage

    init() throws {
        pages = try DocumentedPage.all()
        page = try #require(pages.first { $0.name.hasSuffix("/Limits.md") })
    }

    @Test func everyDefaultIsThatOfItsSetting() async throws {
        let settings = try await CommandHelp.tool(in: TemporaryFolder()).settings
        let rows = page.text.matches(of: /\| ([\d,]+)( MiB)?(?: bytes)?, `(\w+)`[;|\w ]/)
        #expect(rows.count > 10)
        for row in rows {
            let number = Int(row.1.replacing(",", with: "")).map { row.2 == nil ? $0 : $0 << 20 }
            #expect(number.map { "\($0)" } == settings[String(row.3)], "\(row.3)")
        }
    }

    @Test func everySettingOfLimitIsThere() async throws {
        let settings = try await CommandHelp.tool(in: TemporaryFolder()).settings.keys
            .filter { $0.hasPrefix("max") && $0 != "maxDatabaseConnections" }
        #expect(settings.count > 10)
        for setting in settings {
            #expect(page.text.contains("`\(setting)`"), "no row has the setting '\(setting)'")
        }
    }

    @Test func everyRefusalIsExplainedElsewhere() {
        let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("|") }
        let refusals = rows.compactMap { $0.split(separator: "|").last }
        let codes = refusals.flatMap { $0.matches(of: /\d\d\d `(\w+)`/).map { String($0.1) } }
        #expect(codes.count > 20)
        let others = pages.filter { $0.name != page.name }.map(\.text).joined()
        for code in codes {
            #expect(others.contains("| `\(code)`") || others.contains(", `\(code)`"), "\(code)")
        }
    }
}
