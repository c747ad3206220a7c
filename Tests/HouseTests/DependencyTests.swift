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
        ("ChangeRules", "Foundation", false), ("DefinitionModel", "Foundation", false),
        ("SyncEngine", "GRDB", false), ("SQLiteStore", "GRDB", true),
        ("Elsewhere", "DefinitionModel", false),
    ])
    func aModuleImportsItsDependencies(importer: String, module: String, isAllowed: Bool) throws {
        let file = text("import \(module)", path: "Sources/\(importer)/a.swift")
        #expect(try ModuleDependencies.findings(in: file).isEmpty == isAllowed)
    }

    @Test func dependenciesAreReadFromAPackage() {
        let package = """
            let rooms: [Target] = [
                .systemLibrary(name: "CLib", pkgConfig: "lib", providers: [.apt(["lib-dev"])]),
                .room("A"),
                .room(
                    "B",
                    doors: ["A", .product(name: "P", package: "p-package")]),
                .executableTarget(name: "C", dependencies: ["A", "B"], swiftSettings: rules),
            ]
            let tests: [Target] = [.testTarget(name: "D", dependencies: ["A"])]
            """
        let found = declaredDependencies(inPackage: package)
        #expect(found.map(\.module) == ["CLib", "A", "B", "C"])
        #expect(found.map(\.dependencies) == [[], [], ["A", "P"], ["A", "B"]])
    }

    @Test func aFileKnowsItsModule() {
        #expect(text("", path: "Sources/ChangeRules/Deep/a.swift").module == "ChangeRules")
        #expect(text("", path: "Templates/Templates.swift").module == "Templates")
    }

    @Test func ignoredNamesAreRead() {
        let ignored = IgnoredNames(".build/\nPackage.resolved\n*.sqlite\n")
        #expect([".build", "Package.resolved", "a.sqlite"].allSatisfy(ignored.contain))
        #expect(!["build", "Package.swift", "sqlite"].contains(where: ignored.contain))
    }
}
