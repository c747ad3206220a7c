import Foundation
import TestKit
import Testing

/// A name that nothing defines fails only when a page comes to it.
@Suite(
    "Modules of the console",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc"),
        "'tsc' was not found: Debian's package node-typescript has it"),
    .timeLimit(.minutes(5)))
struct ConsoleNameTests {
    @Test func everyNameIsDefinedAndEveryImportExported() async throws {
        let folder = try TemporaryFolder()
        let modules = repositoryPath("Sources/ConsoleFiles/modules")
        let paths = try FileManager.default.contentsOfDirectory(atPath: modules)
            .filter { $0.hasSuffix(".js") }.map { "\(modules)/\($0)" }
        #expect(paths.count > 50)
        #expect(try await faults(in: paths, folder) == [])
        try folder.write("export const a = 1\n", to: "a.js")
        try folder.write("import { b } from './a.js'\nexport const c = () => d + b\n", to: "b.js")
        let wrong = ["a.js", "b.js"].map { folder.path($0) }
        #expect(try await faults(in: wrong, folder).count == 2, "a fault is not found")
    }

    /// The lines of the compiler about names. It also guesses at types, which do not count here.
    private func faults(in paths: [String], _ folder: TemporaryFolder) async throws -> [String] {
        let checked = try await Program(
            path: "/usr/bin/tsc",
            arguments: [
                "--allowJs", "--checkJs", "--noEmit", "--target", "esnext", "--module", "esnext",
                "--lib", "esnext,dom,dom.iterable",
            ] + paths, folder: folder
        ).run()
        let undefined = /error TS(2304|2305|2307|2552|2614|2724|18004):/
        return checked.output.split(separator: "\n").filter { $0.contains(undefined) }
            .map(String.init)
    }
}
