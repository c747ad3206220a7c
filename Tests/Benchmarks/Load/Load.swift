import Glibc

/// Sends prepared requests to a server and reports the results, for `Tests/Benchmarks/bench.py`.
@main struct Load {
    static func main() {
        do {
            let words = CommandLine.arguments.dropFirst()
            guard !words.contains("--help") else { return print(Settings.help) }
            try run(Settings(words: Array(words)))
        } catch let failure as Failure {
            complain(failure)
            exit(failure.isWrongUsage ? 2 : 1)
        } catch {
            complain(Failure("\(error)"))
            exit(1)
        }
    }

    private static func run(_ settings: Settings) throws {
        let exchanges = try RequestFile(path: settings.requests).exchanges()
        let streams = try settings.idleRequests.map { try RequestFile(path: $0).exchanges() }
        try raiseLimitOfOpenFiles()
        let player = try Player(settings, exchanges, idle: streams ?? [])
        let figures = try player.play()
        print(figures.json)
    }

    private static func complain(_ failure: Failure) {
        let help = failure.help.map { "help: \($0)\n" } ?? ""
        let text = Array("load: \(failure.message)\n\(help)".utf8)
        _ = write(STDERR_FILENO, text, text.count)
    }
}

/// An error and its remedy.
struct Failure: Error {
    let message: String
    var help: String?
    var isWrongUsage = false

    init(_ message: String, help: String? = nil, isWrongUsage: Bool = false) {
        self.message = message
        self.help = help
        self.isWrongUsage = isWrongUsage
    }

    /// The system's message for its last error.
    static func system(_ what: String) -> Failure {
        Failure("\(what): \(String(cString: strerror(errno)))")
    }
}

/// Each connection needs a file descriptor.
private func raiseLimitOfOpenFiles() throws {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw Failure.system("the limit of open files")
    }
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw Failure.system("the limit of open files")
    }
}
