import Testing

/// The manifest, which build systems read that others run.
@Suite struct ManifestTests {
    private static let manifest = Repository.text(of: "Package.swift")

    /// Xcode compiles packages that an app names by URL with `-suppress-warnings`, and SwiftPM
    /// refuses those with unsafe flags.
    @Test func settingsOfOurBuildsAreNotForApps() {
        let settings = Self.manifest.matches(of: /treatAllWarnings|treatWarning|unsafeFlags/)
        #expect(settings.count == 2)
        for condition in [
            #"isOwnBuild = Context.environment["WAGGLE_WARNINGS_AS_ERRORS"] != nil"#,
            "isOwnBuild ? [.treatAllWarnings(", "where isOwnBuild && target.type == .test {",
        ] {
            #expect(Self.manifest.contains(condition))
        }
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

    /// `swift build -c release` compiles every target but the tests, and without
    /// `-enable-testing`. The fuzzing is a package of its own, which `make fuzz` builds with it.
    @Test func onlyTestsImportInternalDeclarations() {
        let others = (Repository.sources + Repository.tests).filter { file in
            !file.path.contains(/^Tests.(\w+Tests|Fuzzing)./)
        }
        #expect(others.count > 100)
        for file in others {
            let isTestable = file.lines.contains { $0.hasPrefix("@testable import") }
            #expect(!isTestable, "\(file.path)")
        }
    }
}
