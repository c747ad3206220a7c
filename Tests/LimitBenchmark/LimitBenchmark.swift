import Foundation

/// Measures the components below the server, each on its own, for `Tests/Benchmarks/limits.py`:
///
///     LimitBenchmark route ANSWER
///     LimitBenchmark scan DATABASE
///     LimitBenchmark insert BEFORE AFTER RECORDS
///
/// `route` and `scan` serve requests until they are stopped. Their first line of output is their
/// address. `route` answers every `POST /v1/NAME/sync` with the contents of the file ANSWER. `scan`
/// answers `GET /texts/PLACE/LIMIT` with the stored texts of up to LIMIT records after a position,
/// as a JSON array, and `GET /records/PLACE/LIMIT` with these records as the server encodes them.
///
/// `insert` writes the rows that pushes added between the databases BEFORE and AFTER to BEFORE,
/// with RECORDS new records in a transaction. It prints JSON: the number of records, of which the
/// first tenth is not measured, and the time of the others, elapsed and of processors, in seconds.
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
        case ("scan", 2): try serveScans(of: words[1])
        case ("insert", 4):
            guard let records = Int(words[3]), records > 0 else { throw Failure.wrongUsage }
            try tell(try inserted(into: words[1], from: words[2], recordsEach: records))
        case _: throw Failure.wrongUsage
        }
    }

    private static func tell(_ figures: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figures))
    }

    private static func complain(_ failure: Failure) {
        let help = failure.help.map { "help: \($0)\n" } ?? ""
        FileHandle.standardError.write(Data("LimitBenchmark: \(failure.message)\n\(help)".utf8))
    }
}

/// An error and its remedy.
struct Failure: Error {
    let message: String
    let help: String?
    let isWrongUsage: Bool

    init(_ message: String, help: String? = nil, isWrongUsage: Bool = false) {
        self.message = message
        self.help = help
        self.isWrongUsage = isWrongUsage
    }

    /// The system's message for its last error.
    static func system(_ what: String) -> Failure {
        Failure("\(what): \(String(cString: strerror(errno)))")
    }

    static let wrongUsage = Failure(
        "the words are none of these: route ANSWER, scan DATABASE, insert BEFORE AFTER RECORDS",
        help: "'make bench-limits' runs it as it is meant", isWrongUsage: true)
}

private func bytes(ofFile path: String) throws -> Data {
    guard let bytes = FileManager.default.contents(atPath: path) else {
        throw Failure("'\(path)' cannot be read", help: "name a file with the bytes of an answer")
    }
    return bytes
}
