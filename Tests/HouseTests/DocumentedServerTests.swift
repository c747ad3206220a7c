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
