import Dispatch
import Foundation
import Synchronization

/// Runs the hot paths of the compiler and the server on fixed input, for `count.py`:
///
///     InstructionCounts DEFINITION FOLDER
///
/// Each path runs once to load what it needs, and then as often as it is counted. Prints this
/// number and the name of each path.
@main struct InstructionCounts {
    // Not asynchronous: callgrind crashes if the main thread ends before others.
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 2 else {
            FileHandle.standardError.write(Data("InstructionCounts DEFINITION FOLDER\n".utf8))
            exit(2)
        }
        let source = Array(try Data(contentsOf: URL(filePath: words[0])))
        for paths in try finished({ try await hotPaths(of: source, in: words[1]) }) {
            for path in try finished({ try await paths() }) { try count(path) }
        }
    }

    private static func count(_ path: HotPath) throws {
        try check(try finished { try await path.run(0) }, of: path)
        countingBegins()
        let answers = try (1...path.times).map { time in
            try finished { try await path.run(time) }
        }
        countingEnds()
        for answer in answers { try check(answer, of: path) }
        FileHandle.standardOutput.write(Data("\(path.times) \(path.name)\n".utf8))
    }

    private static func check(_ answer: [UInt8], of path: HotPath) throws {
        guard try path.isRight(answer) else { throw WrongAnswer(to: path) }
    }
}

/// Callgrind identifies the calls of these two functions by name. They have an effect, so that they
/// are not optimised away.
@inline(never) private func countingBegins() { marks.add(1, ordering: .relaxed) }

@inline(never) private func countingEnds() { marks.add(1, ordering: .releasing) }

private let marks = Atomic(0)

/// Waits for work on other threads.
private func finished<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome = Outcome<Value>()
    Task {
        do {
            outcome.settle(.success(try await body()))
        } catch {
            outcome.settle(.failure(error))
        }
    }
    return try outcome.wait()
}

private final class Outcome<Value: Sendable>: Sendable {
    private let isSettled = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func settle(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        isSettled.signal()
    }

    func wait() throws -> Value {
        isSettled.wait()
        return try result.withLock { $0 ?? .failure(CancellationError()) }.get()
    }
}
