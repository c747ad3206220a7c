import Foundation
import TestKit
import Testing

/// Routes, options, settings and defaults in the documentation match the tool.
@Suite(.timeLimit(.minutes(5))) struct DocumentedUsageTests {
    /// Options of other programs.
    private static let foreignOptions: Set<String> = [
        "--get", "--data-urlencode", "--encoding", "--template", "--schema", "--noout",
        "--slurpfile", "--smoke", "--explicit-target-dependency-import-check", "--filter",
        "--target", "--cookie", "--data-binary", "--header",
        // Options of other programs, on the page Installing.
        "--install", "--now", "--check", "--build-arg", "--tag", "--rm", "--name", "--short",
        "--system", "--no-create-home", "--reference",
        // An option of the attacks, on the page House.
        "--postgres",
    ]

    /// How each wire says that it has no such path.
    private static let unknown = [
        #""code":"pathUnknown""#, "Nothing is served at this path.", "nothing is served at '",
        "there is no such address",
    ]

    /// Nil if the server has no such route.
    private func status(of route: Route, on server: RunningServer) async throws -> Int? {
        let answer = try await server.request(
            route.method, route.examplePath, headers: ["X-Parse-Application-Id": "test"])
        let isUnknown = Self.unknown.contains(where: answer.text.contains)
        return isUnknown || answer.status == 405 ? nil : answer.status
    }

    @Test func everyRouteIsServed() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--azure", "--parse")
        let pages = try DocumentedPage.all()
        let azure = try #require(pages.first { $0.name.hasSuffix("/Azure.md") }).pathRows
        let rows = azure.flatMap { row in
            row.paths.flatMap { path in row.methods.map { Route(method: $0, path: path) } }
        }
        #expect(rows.count > 15)
        let routes = Set(pages.flatMap(\.routes)).union(rows)
        #expect(routes.count > 130)
        for route in routes {
            #expect(try await status(of: route, on: server) != nil, "\(route)")
        }
    }

    /// Its table names no methods.
    @Test func everyPathOfParseIsServed() async throws {
        let server = try await RunningServer(definition: "Conflicts", arguments: "--parse")
        let page = try DocumentedPage.all().first { $0.name.hasSuffix("/Parse.md") }
        let paths = try #require(page).pathRows.flatMap(\.paths)
        #expect(paths.count > 20)
        for path in paths + ["/parse/nothing"] {
            var isServed = false
            for method in ["GET", "POST"] where !isServed {
                let route = Route(method: method, path: path)
                isServed = try await status(of: route, on: server) != nil
            }
            #expect(isServed == (path != "/parse/nothing"), "\(path)")
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
