import Foundation
import TestKit
import Testing

/// The output of `waggle new`. `CalendarApp` and `make outside` test that such a package builds and
/// works.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NewCommandTests {
    private let folder: TemporaryFolder
    private let film: String

    init() throws {
        folder = try TemporaryFolder()
        film = try folder.write(try definition("Permissions"), to: "film.xml")
    }

    private func new(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(["new"] + arguments, input: input, in: folder)
    }

    private func expectNothingMade(_ at: SourceLocation = #_sourceLocation) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["film.xml"], sourceLocation: at)
    }

    @Test func packageIsMadeAndNextStepsArePrinted() async throws {
        let finished = try await new("Films", "--definition", film)
        #expect(finished.exitCode == 0 && finished.output == "", "\(finished.errors)")
        #expect(
            finished.errors == """
                made Films; its README.md says more. Next:
                  cd Films
                  swift run Films help
                  swift test

                """)
        let files = try folder.files()
        #expect(
            files.keys.sorted() == [
                "Films/.gitignore", "Films/Package.swift", "Films/README.md",
                "Films/Sources/FilmsApp/App+fields.swift",
                "Films/Sources/FilmsApp/App+signIn.swift", "Films/Sources/FilmsApp/App.swift",
                "Films/Sources/FilmsApp/application.xml",
                "Films/Tests/FilmsAppTests/FilmsAppTests.swift", "film.xml",
            ])
        let kept = try folder.bytes(of: "Films/Sources/FilmsApp/application.xml")
        #expect(kept == files["film.xml"])
        let app = try folder.text(of: "Films/Sources/FilmsApp/App.swift")
        #expect(app.contains("        PermissionsEntity.self\n"))
    }

    /// The tested tool was built in this checkout.
    @Test func withoutPlaceCheckoutOfToolIsTaken() async throws {
        #expect(try await new("Films", "--definition", film).exitCode == 0)
        let manifest = try folder.text(of: "Films/Package.swift")
        let path = try #require(manifest.firstMatch(of: /name: "waggle", path: "(.+)"/)?.1)
        let library = "\(path)/Sources/Waggle/Database.swift"
        #expect(FileManager.default.fileExists(atPath: library), "\(path)")
    }

    @Test(arguments: [
        "https://example.org/acme/waggle", "https://example.org/acme/waggle.git",
        "git@example.org:acme/waggle.git", "ssh://git@example.org/waggle",
    ])
    func repositoryCanBeNamed(url: String) async throws {
        let made = try await new("Films", "--definition", film, "--package-url", url)
        #expect(made.exitCode == 0, "\(made.errors)")
        let manifest = try folder.text(of: "Films/Package.swift")
        #expect(manifest.contains(".package(url: \"\(url)\", branch: \"main\")"))
        #expect(manifest.contains(".product(name: \"Waggle\", package: \"waggle\")"))
    }

    @Test(arguments: ["1.0.0", "0.12.3-beta.1"])
    func versionOfRepositoryCanBeNamed(version: String) async throws {
        let made = try await new(
            "Films", "--definition", film, "--package-url", "https://example.org/waggle",
            "--package-version", version)
        #expect(made.exitCode == 0, "\(made.errors)")
        let manifest = try folder.text(of: "Films/Package.swift")
        let dependency = ".package(url: \"https://example.org/waggle\", from: \"\(version)\")"
        #expect(manifest.contains(dependency))
    }

    @Test(arguments: [
        (["--package-version", "1.0.0"], "a version is of a repository, and none is named"),
        (
            ["--package-url", "https://a.b/waggle", "--package-version", "v1"],
            "'v1' is not a version"
        ),
        (["--package-url", "waggle"], "'waggle' is not the URL of a repository"),
        (
            ["--package-url", "https://a.b/waggle", "--package-path", "."],
            "the package is given by a folder and by a URL"
        ),
    ])
    func dependencyThatIsNoneIsRefused(options: [String], message: String) async throws {
        let refused = try await Tool.run(
            ["new", "Films", "--definition", film] + options, in: folder)
        #expect(refused.exitCode == 2 && refused.output == "")
        #expect(refused.errors.hasPrefix("error: \(message)\nhelp: "), "\(refused.errors)")
        try expectNothingMade()
    }

    @Test func checkoutCanBeNamed() async throws {
        let top = repositoryPath(".")
        let made = try await new(
            "Films", "--definition", film, "--package-path", "\(top)/Sources/..")
        #expect(made.exitCode == 0, "\(made.errors)")
        let manifest = try folder.text(of: "Films/Package.swift")
        let path = URL(filePath: top).standardizedFileURL.path
        #expect(manifest.contains(".package(name: \"waggle\", path: \"\(path)\")"))
    }

    @Test func folderWithoutWaggleIsRefused() async throws {
        let refused = try await new("Films", "--definition", film, "--package-path", ".")
        #expect(refused.exitCode == 1 && refused.output == "")
        #expect(
            refused.errors == """
                error: there is no checkout of Waggle in '.'
                help: name the folder that has its Package.swift, or its repository with \
                '--package-url'

                """)
        try expectNothingMade()
    }

    @Test func toolThatLiesElsewhereAsksForPlace() async throws {
        let other = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Tool.path, toPath: other.path("waggle"))
        let refused = try await Program(
            path: other.path("waggle"), arguments: ["new", "Films", "--definition", film],
            folder: folder
        ).run()
        #expect(refused.exitCode == 2 && refused.output == "")
        #expect(
            refused.errors == """
                error: '\(other.path("waggle"))' does not lie in a checkout of Waggle
                help: give '--package-path' with the folder of a checkout, or '--package-url' with \
                the URL of a repository

                """)
        try expectNothingMade()
    }

    @Test func prefixIsForBuildsToo() async throws {
        #expect(try await new("Films", "--definition", film, "--prefix", "MMD").exitCode == 0)
        let sources = "Films/Sources/FilmsApp"
        #expect(try folder.text(of: "\(sources)/waggle.json") == "{\"prefix\": \"MMD\"}\n")
        let app = try folder.text(of: "\(sources)/App.swift")
        #expect(app.contains("        MMDPermissionsEntity.self\n"))
        #expect(app.contains("AppDefinition.mmdPermissions.models"))
    }

    @Test func classesAndModelsMayHaveDifferentPrefixes() async throws {
        let made = try await new(
            "Films", "--definition", film, "--class-prefix", "MD", "--model-prefix", "MMD")
        #expect(made.exitCode == 0, "\(made.errors)")
        let app = try folder.text(of: "Films/Sources/FilmsApp/App.swift")
        #expect(app.contains("@main struct MDApp {"))
        #expect(app.contains("        MMDPermissionsEntity.self\n"))
        #expect(app.contains("AppDefinition.mdPermissions.models"))
    }

    @Test(arguments: [
        "", ".", "..", "my-notes", "Mes notes", "1st", "_notes", "Filme\u{308}", "a.b", "N!",
        String(repeating: "x", count: 41),
    ])
    func illegalNameIsRefusedWithRule(name: String) async throws {
        let refused = try await new("--definition", film, "--", name)
        #expect(refused.exitCode == 2 && refused.output == "", "\(refused.errors)")
        #expect(refused.errors.contains("error: '\(name)' cannot be the name of a package\n"))
        #expect(
            refused.errors.contains(
                "\nhelp: begin with one of A to Z or a to z, go on with such letters, digits and "
                    + "'_', and stop at 40 of them: 'Notes'\n"))
        try expectNothingMade()
    }

    @Test(arguments: ["waggle", "Waggle", "Hummingbird"])
    func noPackageIsCalledLikeOneThatItNeeds(name: String) async throws {
        let refused = try await new(name, "--definition", film)
        #expect(refused.exitCode == 2)
        #expect(refused.errors.contains("'\(name)' cannot be the name of a package: one that it"))
        try expectNothingMade()
    }

    @Test func folderWithFilesIsRefusedUnchanged() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("Films"), withIntermediateDirectories: false)
        #expect(try await new("Films", "--definition", film).exitCode == 0, "it is empty")
        try folder.write("mine", to: "Films/README.md")
        let before = try folder.files()
        let refused = try await new("Films", "--definition", film)
        #expect(refused.exitCode == 1 && refused.output == "")
        #expect(
            refused.errors == """
                error: there is something in 'Films' already
                help: choose another name, or move it away; nothing was changed

                """)
        #expect(try folder.files() == before)
    }

    @Test func badDefinitionMakesNothing() async throws {
        let bad = try definition("Permissions").changing(#"type="TEXT""#, to: #"type="TXT""#)
        let refused = try await new("Films", "--definition", "-", input: bad)
        #expect(refused.exitCode == 1 && refused.output == "")
        #expect(refused.errors.contains("standard input:22:"))
        #expect(refused.errors.contains("error: 'standard input' is not a sound definition"))
        let missing = try await new("Films", "--definition", "missing.xml")
        #expect(missing.exitCode == 1)
        #expect(missing.errors.contains("error: 'missing.xml' cannot be read"))
        try expectNothingMade()
    }

    /// The type names are checked as in `waggle generate`.
    @Test func warningsArePrinted() async throws {
        let text = try definition("Permissions").changing("PermissionsEntity", to: "date")
        let made = try await new("Films", "--definition", "-", input: text)
        #expect(made.exitCode == 0)
        #expect(made.errors.contains("in Swift the type of 'date' is called 'DateModel'"))
        let app = try folder.text(of: "Films/Sources/FilmsApp/App.swift")
        #expect(app.contains("        DateModel.self\n"))
    }

    @Test func unwritableFolderHasItsOwnExitCode() async throws {
        for place in ["/proc/Films", "gone/Films"] {
            let failed = try await new(place, "--definition", film)
            #expect(failed.exitCode == 3, "\(failed.errors)")
            #expect(failed.errors.contains("Films' cannot be written: "))
        }
        try expectNothingMade()
    }
}
