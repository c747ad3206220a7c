import Testing

@Suite struct DependencyTests {
    @Test func everyWayToImportIsSeen() throws {
        let code = """
            import A
            package import B
            @testable import C
            @_exported public import D
            import struct E.F
            // import G
            let a = "import H"
            #if canImport(I)
                import J
            #endif
            """
        let found = try imports(in: text(code))
        #expect(found.map(\.module) == ["A", "B", "C", "D", "E", "J"])
        #expect(found.map(\.line) == [1, 2, 3, 4, 5, 9])
    }

    @Test(arguments: [
        ("ChangeRules", "DefinitionModel", true), ("ChangeRules", "SyncEngine", false),
        ("AccessPolicy", "Foundation", false), ("DefinitionModel", "Foundation", false),
        ("SyncEngine", "GRDB", false), ("SQLiteStore", "GRDB", true),
        ("Elsewhere", "DefinitionModel", false),
    ])
    func moduleImportsItsDependencies(importer: String, module: String, isAllowed: Bool) throws {
        let file = text("import \(module)", path: "Sources/\(importer)/a.swift")
        let findings = try ImportRule.findings(in: file, modules: Repository.modules)
        #expect(findings.isEmpty == isAllowed)
    }

    @Test func fileKnowsItsModule() {
        #expect(text("", path: "Sources/ChangeRules/Deep/a.swift").module == "ChangeRules")
        #expect(text("", path: "Templates/Templates.swift").module == "Templates")
    }

    @Test func ignoredNamesAreRead() {
        let ignored = IgnoredNames(".build/\nPackage.resolved\n*.sqlite\n")
        #expect([".build", "Package.resolved", "a.sqlite"].allSatisfy(ignored.contain))
        #expect(!["build", "Package.swift", "sqlite"].contains(where: ignored.contain))
    }
}
