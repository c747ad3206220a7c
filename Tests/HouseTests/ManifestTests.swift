import Testing

/// The manifest, which build systems read that others run.
@Suite struct ManifestTests {
    private static let manifest = Repository.text(of: "Package.swift")

    /// Xcode compiles packages that an app names by URL with `-suppress-warnings`.
    @Test func warningsStopOurBuildsOnly() {
        let settings = Self.manifest.matches(of: /treatAllWarnings|treatWarning|unsafeFlags/)
        let condition =
            /Context\.environment\["WAGGLE_WARNINGS_AS_ERRORS"\] != nil \? \[\.treatAllWarnings\(/
        #expect(settings.count == 1)
        #expect(Self.manifest.contains(condition))
    }

    @Test func everyGoalStopsAtWarnings() throws {
        let makefile = Repository.text(of: "Makefile")
        #expect(makefile.contains(/\nCLEAN := env -i [^\n]* WAGGLE_WARNINGS_AS_ERRORS=yes\s/))
        let builds = makefile.matches(of: /[^\n]*\bswift build\b[^\n]*/).map { String($0.0) }
        #expect(builds.count > 3)
        for build in builds {
            #expect(build.contains("$(CLEAN)") || build.contains("$(PRODUCTS_ONLY)"), "\(build)")
        }
    }
}
