/// The command-line options.
struct Settings {
    var requests = ""
    var port: UInt16 = 0
    var connections = 1
    var seconds = 1.0
    var warmUpSeconds = 0.0
    /// Exchanges per second; nil for as many as the server answers.
    var rate: Double?
    /// The maximum number of measured exchanges.
    var exchanges = Int.max
    /// Whether each exchange runs at most once.
    var isOnce = false
    /// Whether incorrect responses are counted instead of being errors.
    var countsRefused = false
    var idle = 0
    var idleRequests: String?
    var server: Int32?
    var patienceSeconds = 30.0

    static let help = """
        Plays requests to a server of this machine, over connections that stay open.

        USAGE: load --port PORT [OPTIONS] REQUESTS

          REQUESTS                the file of requests, see below

          --port PORT             where the server listens, on 127.0.0.1
          --connections N         how many connections play at the same time (1)
          --seconds S             how long it is measured (1)
          --warm-up S             how long it is played before that, without being measured (0)
          --rate R                so many exchanges a second begin, at random moments, whether or
                                  not the ones before are done; an exchange that has to wait for a
                                  connection is late, and its latency counts from when it was due.
                                  Without it each connection begins the next exchange when it has
                                  the answer to the last one
          --exchanges N           end after so many exchanges, if that is before the time
          --once                  play each exchange once at most
          --count-refused         an answer that is not as it should be ends its exchange, and is
                                  counted apart; it is a failure only where none is right
          --idle N                hold so many more connections open meanwhile
          --idle-requests FILE    what each of them sends first; its answer need not end
          --server PID            measure the processor time of this process
          --patience S            give up when nothing was answered for so long (30)

        A file of requests has, for each request, a line and then the bytes of the request:

          first STATUS LENGTH [with TEXT | without TEXT | number N TEXT]
          then STATUS LENGTH [with TEXT | without TEXT | number N TEXT]

        'first' begins an exchange; 'then' is sent on the same connection when the request before it
        was answered. STATUS is the only answer that is right, LENGTH counts the bytes that follow
        the line, and the answer has to hold TEXT, or must not. Connection 0 of N plays the
        exchanges 0, N, 2 N and so on, and begins again at the end.

        In a request, the guid ffffffff-ffff-4fff-8fff-000000000001 is replaced by a fresh one in
        each exchange that is played, the same in all of its requests; so is each other number, in
        hexadecimal digits. ffffffff-ffff-4fff-8fff-ffffffffffff is replaced by the answer to the
        exchange's first request.

        ffffffff-ffff-4fff-8ffe-000000000001 is replaced by what that fresh guid was in an earlier
        play of the exchange that is done, and that no other play has named: by one that was never
        before, where there is none.

        Where an answer has to hold a 'number', there are digits after TEXT, which are others than
        before and are kept with the exchange. ffffffff-ffff-4fff-8fff-eeeeeeeeeeee is replaced by
        them when the exchange is played again, and by N at first; in a body spaces follow, so that
        its length stays. For this, each connection needs an exchange of its own.

        Standard output has the figures, as JSON. The latency is that of whole exchanges, in
        microseconds, as a list of buckets, each with its largest value and how many are in it; the
        widths of buckets are below 1 % of their values. The exit code is 1 when an answer was not
        as it should be, and 2 for wrong usage.
        """

    init(words: [String]) throws(Failure) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--port": port = try Self.number(after: word, &words)
            case "--connections": connections = try Self.number(after: word, &words)
            case "--seconds": seconds = try Self.number(after: word, &words)
            case "--warm-up": warmUpSeconds = try Self.number(after: word, &words)
            case "--rate": rate = try Self.number(after: word, &words)
            case "--exchanges": exchanges = try Self.number(after: word, &words)
            case "--once": isOnce = true
            case "--count-refused": countsRefused = true
            case "--idle": idle = try Self.number(after: word, &words)
            case "--idle-requests": idleRequests = try Self.value(after: word, &words)
            case "--server": server = try Self.number(after: word, &words)
            case "--patience": patienceSeconds = try Self.number(after: word, &words)
            case _ where word.hasPrefix("-"): throw .usage("there is no option '\(word)'")
            case _ where requests.isEmpty: requests = word
            case _: throw .usage("'\(word)' is one file of requests too many")
            }
        }
        try check()
    }

    private func check() throws(Failure) {
        if requests.isEmpty { throw .usage("no file of requests is named") }
        if port == 0 { throw .usage("'--port' is missing") }
        if connections < 1 { throw .usage("'--connections' must be 1 or more") }
        if idle < 0 { throw .usage("'--idle' must not be less than 0") }
        if seconds < 0 || warmUpSeconds < 0 { throw .usage("a time must not be less than 0") }
        if let rate, rate <= 0 { throw .usage("'--rate' must be more than 0") }
        if exchanges < 1 { throw .usage("'--exchanges' must be 1 or more") }
    }

    private static func value(
        after word: String, _ words: inout ArraySlice<String>
    ) throws(Failure) -> String {
        guard let value = words.popFirst() else { throw .usage("'\(word)' needs a value") }
        return value
    }

    private static func number<Number: LosslessStringConvertible>(
        after word: String, _ words: inout ArraySlice<String>
    ) throws(Failure) -> Number {
        let text = try value(after: word, &words)
        guard let number = Number(text) else {
            throw .usage("'\(text)' is no number for '\(word)'")
        }
        return number
    }
}

extension Failure {
    static func usage(_ message: String) -> Failure {
        Failure(message, help: "'load --help' lists the options", isWrongUsage: true)
    }
}
