import Foundation
import TestKit
import Testing

/// A reader who copies the blocks of the tutorial, or those of *Start here* and then of the
/// `README.md` of the package that it makes, gets what they say. The packages are not built here,
/// but by `make outside`.
@Suite(.withAFile, .timeLimit(.minutes(5))) struct TutorialTests {
    @Test(arguments: [
        ("PermissionsApp", [], "tutorial: 3 file, "),
        ("CalendarApp", ["--start"], "tutorial: a package was made, and "),
    ])
    func everyBlockIsCopiedAndRun(app: String, more: [String], said: String) async throws {
        let followed = try await Program(
            path: "/usr/bin/env",
            arguments: [
                "python3", repositoryPath("Tests/OutsidePackage/tutorial.py"), "--waggle",
                Tool.path, "--app", Tool.builtWithTests(app),
            ] + more, folder: try TemporaryFolder()
        ).run()
        #expect(followed.exitCode == 0, "\(followed.output) \(followed.errors)")
        #expect(followed.output.hasPrefix(said), "\(followed.output)")
    }

    /// The example is compiled with the tests.
    @Test(arguments: ["application.xml", "App/PermissionsApp.swift"])
    func filesAreThoseOfExample(name: String) throws {
        let page = String(
            decoding: try bytes(ofFile: "Sources/Waggle/Documentation.docc/Tutorial.md"),
            as: UTF8.self)
        let file = String(
            decoding: try bytes(ofFile: "Definitions/Permissions/\(name)"), as: UTF8.self)
        let language = name.hasSuffix("xml") ? "xml" : "swift"
        #expect(page.contains("```\(language)\n\(file)```\n"))
    }
}
