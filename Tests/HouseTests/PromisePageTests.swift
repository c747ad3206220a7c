import Testing

/// The documentation page that names a test for each guarantee.
@Suite struct PromisePageTests {
    private static let page = "\(Repository.documentation)/Promises.md"

    @Test func everyTestThatItNamesIsThere() throws {
        let named = Repository.text(of: Self.page).matches(of: /`(\w+)\.(\w+)`/)
        #expect(named.count > 20)
        for name in named {
            let isThere = Repository.tests.contains { file in
                file.code.contains("struct \(name.1)") && file.code.contains("func \(name.2)(")
            }
            #expect(isThere, "no test is called '\(name.0)'")
        }
    }
}
