import Foundation
import TestKit
import Testing

/// A reader who copies the blocks of the tutorial gets what it says. Its package is not built here,
/// but by `make outside`.
@Suite(.withAFile, .timeLimit(.minutes(5))) struct TutorialTests {
    @Test func everyBlockIsCopiedAndRun() async throws {
        let followed = try await Program(
            path: "/usr/bin/env",
            arguments: [
                "python3", repositoryPath("Tests/OutsidePackage/tutorial.py"), "--waggle",
                Tool.path, "--app", Tool.builtWithTests("PermissionsApp"),
            ], folder: try TemporaryFolder()
        ).run()
        #expect(followed.exitCode == 0, "\(followed.errors)")
        #expect(followed.output.hasPrefix("tutorial: 3 file, "))
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
