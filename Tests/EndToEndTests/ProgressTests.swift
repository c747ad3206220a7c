import Foundation
import Testing

/// Long work shows its progress on a terminal.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
        "needs the program 'script', which has a terminal of its own"))
struct ProgressTests {
    @Test func simulationSaysHowFarItIs() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(try definition("Conflicts"), to: "application.xml")
        let command =
            "'\(Tool.path)' simulate '\(file)' --clients 3 --steps 20 --seeds 5 --jobs 1"
        let finished = try await Program(
            path: "/usr/bin/script", arguments: ["-qec", command, "/dev/null"], folder: folder
        ).run()
        #expect(finished.exitCode == 0, "\(finished.output)")
        for count in 0...5 { #expect(finished.output.contains("\rhistories: \(count) of 5")) }
        #expect(finished.output.contains("no violation in 5 histories"))
    }
}
