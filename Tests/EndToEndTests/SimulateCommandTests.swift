import TestKit
import Testing

/// The output and the exit codes of `waggle simulate`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SimulateCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func simulate(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(["simulate"] + arguments, input: input, in: folder)
    }

    @Test(arguments: ["Conflicts", "Permissions", "FieldService", "Todo", "Dates"])
    func everyInvariantHoldsForExamples(name: String) async throws {
        let file = try folder.write(try definition(name), to: "\(name).xml")
        let finished = try await simulate(
            file, "--clients", "5", "--steps", "80", "--seed", "360", "--seeds", "10")
        #expect(finished.exitCode == 0, "\(finished.output)")
        #expect(!finished.errors.contains("\r"), "progress is for terminals")
        #expect(
            finished.output.hasPrefix(
                "no violation in 10 histories of 80 steps by 5 devices, seeds 360"),
            "\(finished.output)")
        #expect(!finished.output.contains("changes    0"), "something has to happen")
    }

    /// Independent of the number of concurrent histories and of the source of the definition.
    @Test func seedIsTheSameHistoryEverywhere() async throws {
        let text = try definition("Conflicts")
        let file = try folder.write(text, to: "a.xml")
        let seeds = ["--clients", "4", "--steps", "60", "--seeds", "6"]
        let one = try await Tool.run(["simulate", file, "--jobs", "1"] + seeds, in: folder)
        let many = try await Tool.run(
            ["simulate", "-", "--jobs", "4"] + seeds, input: text, in: folder)
        #expect(one.exitCode == 0 && one.output == many.output)
        let others = try await Tool.run(
            ["simulate", file, "--seed", "7"] + seeds, in: folder)
        #expect(others.output != one.output)
    }

    @Test(arguments: [
        ["--clients", "0"], ["--clients", "101"], ["--steps", "0"], ["--steps", "100001"],
        ["--seeds", "0"], ["--jobs", "0"], ["--seed", "-1"],
        ["--seed", "18446744073709551615", "--seeds", "2"],
    ])
    func numberThatCannotBeIsWrongUsage(arguments: [String]) async throws {
        let file = try folder.write(try definition("Conflicts"), to: "a.xml")
        let finished = try await Tool.run(["simulate", file] + arguments, in: folder)
        #expect(finished.exitCode == 2 && finished.output == "")
        #expect(finished.errors.contains(arguments[0]))
    }

    @Test func definitionWithoutPlayersIsRefused() async throws {
        let empty =
            #"<application xmlns="http://schema.mobeelizer.com/application""#
            + #" application="a" vendor="v"/>"#
        let finished = try await simulate(try folder.write(empty, to: "empty.xml"))
        #expect(finished.exitCode == 1 && finished.output == "")
        #expect(finished.errors.contains("there is nothing to simulate"), "\(finished.errors)")
        let missing = try await simulate("missing.xml")
        #expect(missing.exitCode == 1 && missing.output == "")
    }
}
