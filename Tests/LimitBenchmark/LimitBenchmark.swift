import Foundation

/// What our server stands on, each piece by itself, for `Tests/Benchmarks/limits.py`:
///
///     LimitBenchmark route ANSWER
///
/// `route` answers requests until it is stopped: any `POST /v1/NAME/sync` with the bytes of the
/// file ANSWER.
/// Its first line on standard output is its address.
@main struct LimitBenchmark {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch let failure as Failure {
            complain(failure)
            exit(failure.isWrongUsage ? 2 : 1)
        } catch {
            complain(Failure("\(error)"))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        switch (words.first, words.count) {
        case ("route", 2): try await serve(constant: try bytes(ofFile: words[1]))
        case _: throw Failure.wrongUsage
        }
    }

    private static func complain(_ failure: Failure) {
        let help = failure.help.map { "help: \($0)\n" } ?? ""
        FileHandle.standardError.write(Data("LimitBenchmark: \(failure.message)\n\(help)".utf8))
    }
}

/// What went wrong, and what to do about it.
struct Failure: Error {
    let message: String
    let help: String?
    let isWrongUsage: Bool

    init(_ message: String, help: String? = nil, isWrongUsage: Bool = false) {
        self.message = message
        self.help = help
        self.isWrongUsage = isWrongUsage
    }

    static let wrongUsage = Failure(
        "the words are none of these: route ANSWER",
        help: "'make bench-limits' runs it as it is meant", isWrongUsage: true)
}

private func bytes(ofFile path: String) throws -> Data {
    guard let bytes = FileManager.default.contents(atPath: path) else {
        throw Failure("'\(path)' cannot be read", help: "name a file with the bytes of an answer")
    }
    return bytes
}
