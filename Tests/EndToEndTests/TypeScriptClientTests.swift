import Foundation
import TestKit
import Testing

/// The generated TypeScript passes the compiler, and its client syncs with a real server.
@Suite(
    .enabled(
        if: hasTypeScript,
        "'tsc' or 'node' was not found: Debian's packages node-typescript and nodejs have them"),
    .timeLimit(.minutes(5)))
struct TypeScriptClientTests {
    @Test func clientPlaysStory() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let folder = server.site.folder
        try await generate(server.site.definition, in: folder)
        let story = "Tests/EndToEndTests/Fixtures/typescript/story.ts"
        try folder.write(
            String(decoding: try bytes(ofFile: story), as: UTF8.self), to: "ts/story.ts")
        try await compile("ts/story.ts", in: folder)
        try folder.write(#"{"type": "module"}"#, to: "js/package.json")
        // Node 18 has the generator of UUIDs behind this option.
        let told = try await Program(
            path: "/usr/bin/env",
            arguments: [
                "node", "--experimental-global-webcrypto", "js/story.js",
                "http://127.0.0.1:\(server.port)", PreparedDatabase.password(of: "a"),
                PreparedDatabase.password(of: "b"),
            ], folder: folder
        ).run()
        #expect(told.output == Self.steps, "\(told.errors)")
    }

    private static let steps = """
        401 wrongCredentials
        accepted Stalker 1 of a, revision 1
        accepted Stalker 4 of a, revision 2
        conflicted Stalker 4 of a, revision 3, was 1, b 5, a 4
        conflicted 0
        conflicted Stalker 4 of a, revision 4, was 1, b 5, a 4, was 1, b 2, a 4
        accepted Stalker 5 of a, revision 5
        1 false Stalker
        refused score lessThanOrEqualTo 5
        accepted deleted, revision 6
        accepted true true
        false 0
        b false false
        a true true

        """

    /// With every option of the compiler that makes it stricter.
    @Test(arguments: ["FieldService", "Todo", "Permissions", "Dates"])
    func everyModelPassesCompiler(name: String) async throws {
        let folder = try TemporaryFolder()
        let definition = try folder.write(definition(name), to: "application.xml")
        let paths = try await generate(definition, in: folder)
        #expect(paths.contains("ts/waggle.ts"))
        for path in paths { try await compile(path, in: folder) }
    }

    /// Returns the paths of the generated files.
    @discardableResult
    private func generate(
        _ definition: String, in folder: TemporaryFolder
    ) async throws -> [String] {
        let generated = try await Tool.run(
            ["generate", definition, "--language", "typescript", "--output", "ts"], in: folder)
        #expect(generated.exitCode == 0, "\(generated.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("ts"))
        return names.sorted().map { "ts/\($0)" }
    }

    private func compile(_ path: String, in folder: TemporaryFolder) async throws {
        let compiled = try await Program(
            path: "/usr/bin/env",
            arguments: [
                "tsc", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess",
                "--noImplicitOverride", "--isolatedModules", "--target", "es2020", "--lib",
                "es2020,dom", "--module", "es2020", "--moduleResolution", "node", "--outDir", "js",
                path,
            ], folder: folder
        ).run()
        #expect(compiled.exitCode == 0, "\(compiled.output)")
    }
}

private let hasTypeScript = ["tsc", "node"].allSatisfy { program in
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
}
