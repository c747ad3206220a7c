import Testing

/// The page about the modules says what `Package.swift` declares. `UPDATE_GOLDEN=1` rewrites it.
@Suite struct HousePageTests {
    private static let page = "\(Repository.documentation)/House.md"
    private static let begin = "<!-- Made from Package.swift by HousePageTests. -->\n\n"
    private static let end = "\n\n<!-- End of what is made. -->"

    @Test func itsTablesAndItsDrawingAreThoseOfPackage() throws {
        let text = Repository.text(of: Self.page)
        let begin = try #require(text.firstRange(of: Self.begin)).upperBound
        let end = try #require(text[begin...].firstRange(of: Self.end)).lowerBound
        let expected = modulePage(of: Repository.modules, pure: ModuleSet.pure)
        if Repository.updatesGolden {
            let mended = text[..<begin] + expected + text[end...]
            try Repository.write(String(mended), to: Self.page)
        } else {
            #expect(text[begin..<end] == expected, "set UPDATE_GOLDEN=1 and read the difference")
        }
    }

    private static let manifest = """
        let modules: [Target] = [
            // the system's zip
            .systemLibrary(name: "CZip", pkgConfig: "libzip"),
            // values
            .module("Values"),
            // a
            // store
            .module(
                "Store",
                dependencies: [
                    "CZip", "Values", .product(name: "GRDB", package: "GRDB.swift"),
                ]),
            // the tool
            .executableTarget(
                name: "Tool",
                dependencies: ["Store", .byName(name: "Values", condition: onLinux)]),
        ]

        """

    @Test func pageIsMadeFromModules() {
        let modules = packageModules(in: Self.manifest)
        #expect(
            modulePage(of: modules, pure: ["Values"]) == """
                | module | task | I/O | dependencies |
                |---|---|---|---|
                | `CZip` | the system's zip |  | – |
                | `Values` | values | none | – |
                | `Store` | a store |  | `CZip`, `Values`, GRDB |
                | `Tool` | the tool |  | `Store`, `Values` (Linux) |

                A module depends only on modules in lower rows:

                ```
                 2  Tool
                 1  Store
                 0  CZip  Values
                ```

                These libraries are known in the modules beside them, and no other module \
                imports them:

                | library | from | imported by |
                |---|---|---|
                | CZip | the system | `Store` |
                | GRDB | GRDB.swift | `Store` |
                """)
    }
}
