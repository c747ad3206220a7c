import Foundation
import TestKit
import Testing

/// Routes, options, settings and defaults in the documentation match the tool.
@Suite(.timeLimit(.minutes(5))) struct DocumentedUsageTests {
    /// Options of other programs.
    private static let foreignOptions: Set<String> = [
        "--get", "--data-urlencode", "--encoding", "--template", "--schema", "--noout",
        "--smoke", "--explicit-target-dependency-import-check", "--filter",
        "--target", "--cookie", "--data-binary", "--header",
        // Options of other programs, on the page Installing.
        "--install", "--now", "--check", "--build-arg", "--tag", "--rm", "--name", "--short",
        "--system", "--no-create-home", "--reference",
    ]

    @Test func everyRouteIsServed() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let routes = Set(try DocumentedPage.all().flatMap(\.routes))
        #expect(routes.count > 30)
        for route in routes {
            let answer = try await server.request(route.method, route.examplePath)
            let isUnknown = answer.text.contains(#""code":"pathUnknown""#)
            #expect(!isUnknown && answer.status != 405, "\(route): \(answer.status)")
        }
    }

    @Test func everyOptionIsOneOfItsCommand() async throws {
        let tool = try await CommandHelp.tool(in: TemporaryFolder())
        let options = Set(tool.all.flatMap(\.options)).union(Self.foreignOptions)
        for page in try DocumentedPage.all() {
            let unknown = Self.options(in: page.text).subtracting(options)
            #expect(unknown == [], "\(page)")
            for invocation in page.invocations {
                let command = tool.command(invocation.split(separator: " "))
                let unknown = Self.options(in: invocation).subtracting(command.options)
                #expect(unknown == [], "\(page): waggle \(invocation)")
            }
        }
    }

    @Test func everySettingHasItsDocumentedDefault() async throws {
        let tool = try await CommandHelp.tool(in: TemporaryFolder())
        let settings = tool.settings
        let limits = try DocumentedPage.all().flatMap(\.limits)
        #expect(settings.count > 20 && limits.count > 15)
        for (setting, limit) in limits {
            let expected = try #require(settings[setting], "there is no setting '\(setting)'")
            guard let number = Int(expected) else { continue }
            #expect(Self.number(limit) == number, "\(setting): \(limit), and it is \(expected)")
        }
    }

    @Test func limitsOfCompilerAreThoseOfItsOptions() async throws {
        let check = try await CommandHelp.tool(in: TemporaryFolder()).command(["check"])
        let page = try #require(
            try DocumentedPage.all().first { $0.name.hasSuffix("/Definitions.md") })
        let rows = page.text.matches(of: /\| `--(max-\w+)` \|[^|]+\| ([\d,]+) \| ([\d,]+) \|/)
        #expect(rows.count == 5)
        for row in rows {
            let option = check.arguments?.first { $0.names?.first?.name == String(row.1) }
            let expected = row.2.replacing(",", with: "")
            #expect(option?.defaultValue == String(expected), "\(row.1)")
            #expect(
                option?.abstract?.hasSuffix("to \(row.3.replacing(",", with: "")).") == true,
                "\(row.1)")
        }
    }

    private static func options(in text: String) -> Set<String> {
        Set(text.matches(of: /(?:^|[^\w-])(--[a-z][a-z-]+)/).map { String($0.1) })
    }

    /// Reads `8,388,608` or `64 MiB`, and ignores the rest.
    private static func number(_ limit: String) -> Int? {
        guard let match = limit.firstMatch(of: /^([\d,]+)( MiB)?/) else { return nil }
        return Int(match.1.replacing(",", with: "")).map { match.2 == nil ? $0 : $0 << 20 }
    }
}
