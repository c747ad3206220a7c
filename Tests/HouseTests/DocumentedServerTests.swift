import Testing

/// The pages name every route and every error code that the sources have.
@Suite struct DocumentedServerTests {
    @Test func everyRouteHasPage() {
        let pages = Repository.pages
        let row = /\("(?:v1\/:environment\/)?([\w\/:]+)", \[\.(?:get|post|put|patch|delete)\b/
        let routes = Repository.sources.flatMap { file in
            file.text.matches(of: row).map { String($0.1) }
        }
        #expect(routes.count > 10)
        for route in routes {
            let path = route.replacing(/:(\w+)/) { $0.1.uppercased() }
            let isNamed = ["/v1/ENVIRONMENT/\(path)", "/\(path)"].contains(where: pages.contains)
            #expect(isNamed, "no page names the route '\(path)'")
        }
    }

    /// The table of the wire of Azure, whose handlers may stand on a line of their own.
    @Test func everyRouteOfAzureHasPage() {
        let page = Repository.text(of: "\(Repository.documentation)/Azure.md")
        let table = Repository.text(of: "Sources/AzureWire/Serving/AzureRoutes.swift")
        let routes = table.matches(of: /\(\s*"([\w:\/.]+)",\s+(?:\[\.|rows?\b|provider\b|all\b)/)
            .map { String($0.1) }
        #expect(routes.count > 10)
        for route in routes where !route.hasPrefix("Tables") {
            let path = "/" + route.replacing(/:(\w+)/) { $0.1.uppercased() }
            #expect(page.contains("`\(path)`"), "no page names the route '\(path)'")
        }
    }

    /// The switch over the first part of the path.
    @Test func everyRouteOfParseHasPage() throws {
        let page = Repository.text(of: "\(Repository.documentation)/Parse.md")
        let code = Repository.text(of: "Sources/ParseWire/Serving/ParseExchange.swift")
        let start = try #require(code.firstRange(of: "private func answer(at path:")).upperBound
        let end = try #require(code[start...].firstRange(of: "default:")).lowerBound
        let names = code[start..<end].matches(of: /case "(\w+)"/).map { String($0.1) }
        #expect(names.count > 10)
        for name in names {
            let isNamed = ["`/\(name)`", "`/\(name)/"].contains(where: page.contains)
            #expect(isNamed, "no page names the route '/\(name)'")
        }
    }

    /// Routes of no wire.
    @Test func everyRouteOfServerHasPage() {
        let pages = Repository.pages
        let names = Repository.sources.filter { $0.module == "SyncServer" }.flatMap { file in
            file.text.matches(of: /(?:routes\.on\(\.get, |router\.get\()"(\w+)"/)
                .map { String($0.1) }
        }
        #expect(names.sorted() == ["health", "metrics", "ready"])
        for name in names {
            let isNamed = ["`GET /\(name)`", ":9464/\(name)`"].contains(where: pages.contains)
            #expect(isNamed, "no page names the route '/\(name)'")
        }
    }

    @Test func everyErrorCodeHasPage() {
        let pages = Repository.pages
        // Clients of the other wire get the code of that wire instead.
        let files = Repository.sources.filter {
            $0.module != "MobeelizerWire" && !$0.path.hasSuffix("+TicketRefusal.swift")
        }
        let failure = /HTTPFailure\(\s*\.\w+,\s*"(\w+)"/
        let failures = /self\.init\(\s*\.\w+,\s*"(\w+)"/
        let codes = files.filter { $0.path.contains("HTTPFailure") }.flatMap { file in
            (file.text.matches(of: failure) + file.text.matches(of: failures)).map { String($0.1) }
        }
        #expect(codes.count > 30)
        for code in Set(codes) {
            #expect(pages.contains("`\(code)`"), "no page explains the code '\(code)'")
        }
    }
}
