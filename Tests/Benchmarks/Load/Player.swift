import Glibc

/// Runs exchanges on all connections, on one thread.
final class Player {
    private let settings: Settings
    private let exchanges: [Exchange]
    private let idleExchanges: [Exchange]
    private let queue: EventQueue
    private var connections: [Connection] = []
    /// Idle connections, the longest idle one first.
    private var free = Free()
    private var fresh = FreshGuids()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 256 << 10, alignment: 16)

    private var figures = Figures()
    private var schedule = Schedule.whenFree
    /// The time after which no exchange begins.
    private var until = Moment.now
    /// The number of exchanges that may still begin.
    private var left = 0
    /// The number of exchanges begun, including the warm-up.
    private var begun = 0
    /// The number of connections without further exchanges.
    private var finished = 0
    private var wrong = 0
    private var firstWrong: String?

    init(_ settings: Settings, _ exchanges: [Exchange], idle: [Exchange]) throws(Failure) {
        self.settings = settings
        self.exchanges = exchanges
        idleExchanges = idle
        queue = try EventQueue()
    }

    deinit { buffer.deallocate() }

    func play() throws(Failure) -> Figures {
        try connect(settings.connections + settings.idle)
        try openStreams()
        free = Free(Array(0..<settings.connections))
        if settings.warmUpSeconds > 0 {
            try play(seconds: settings.warmUpSeconds, exchanges: .max)
        }
        figures = Figures()
        let own = ProcessorTime.own
        let server = try settings.server.map { process throws(Failure) in
            try ProcessorTime.of(process)
        }
        let sent = connections.reduce(0) { $0 + $1.bytesSent }
        let received = connections.reduce(0) { $0 + $1.bytesReceived }
        let wrongBefore = wrong
        let start = Moment.now
        try play(seconds: settings.seconds, exchanges: settings.exchanges)
        figures.seconds = Moment.now.seconds(since: start)
        figures.refused = wrong - wrongBefore
        figures.ownProcessorSeconds = ProcessorTime.own - own
        if let process = settings.server, let server {
            figures.serverProcessorSeconds = try ProcessorTime.of(process) - server
        }
        figures.bytesSent = connections.reduce(0) { $0 + $1.bytesSent } - sent
        figures.bytesReceived = connections.reduce(0) { $0 + $1.bytesReceived } - received
        try checkAnswers()
        return figures
    }

    private func checkAnswers() throws(Failure) {
        guard let firstWrong else { return }
        if settings.countsRefused, figures.exchanges > 0 { return }
        throw Failure("\(wrong) answers were wrong, the first of them: \(firstWrong)")
    }

    // MARK: - Connections

    private func connect(_ count: Int) throws(Failure) {
        for number in 0..<count {
            let connection = try Connection(number: number, port: settings.port)
            connections.append(connection)
            try queue.add(connection.socket, number: number, writing: true)
        }
        var waiting = Set(0..<count)
        while !waiting.isEmpty {
            for case .socket(let number) in try events() where waiting.contains(number) {
                if let failure = connections[number].connectionFailure { throw failure }
                waiting.remove(number)
                try queue.change(connections[number].socket, number: number, writing: false)
            }
        }
    }

    /// Sends the first request of idle connections, and reads the start of the responses.
    private func openStreams() throws(Failure) {
        guard !idleExchanges.isEmpty else { return }
        for connection in connections[settings.connections...] {
            let exchange = idleExchanges[
                (connection.number - settings.connections) % idleExchanges.count]
            try connection.begin(exchange, due: .now, &fresh)
            while !connection.isAnswered {
                for case .socket(let number) in try events() { try read(connections[number]) }
            }
            try checkAnswers()
        }
    }

    // MARK: - Playing

    private func play(seconds: Double, exchanges: Int) throws(Failure) {
        let start = Moment.now
        until = start + seconds
        left = settings.isOnce ? min(exchanges, self.exchanges.count - begun) : exchanges
        schedule =
            settings.rate.map { .atRandom(RandomMoments(from: start, rate: $0)) } ?? .whenFree
        repeat {
            try beginWhatIsDue()
            guard isPlaying else { break }
            for event in try events() {
                switch event {
                case .moment: continue
                case .socket(let number): try advance(connections[number])
                }
            }
            try giveUpIfTooLate(start, seconds)
        } while true
    }

    /// Whether exchanges are running or still to begin.
    private var isPlaying: Bool {
        if free.count + finished < settings.connections { return true }
        guard left > 0 else { return false }
        switch schedule {
        case .whenFree: return Moment.now < until
        case .atRandom(let moments): return moments.next <= until
        }
    }

    private func beginWhatIsDue() throws(Failure) {
        while left > 0, !free.isEmpty {
            let now = Moment.now
            switch schedule {
            case .whenFree:
                guard now < until else { return }
                _ = try begin(due: now)
            case .atRandom(var moments):
                guard moments.next <= until else { return }
                guard moments.next <= now else { return try queue.wake(at: moments.next) }
                guard try begin(due: moments.next) else { continue }
                moments.advance()
                schedule = .atRandom(moments)
            }
        }
    }

    /// Returns whether an exchange began: if exchanges run only once, a connection may have none
    /// left.
    private func begin(due: Moment) throws(Failure) -> Bool {
        let connection = connections[free.take()]
        guard let exchange = nextExchange(of: connection) else {
            finished += 1
            return false
        }
        left -= 1
        begun += 1
        try connection.begin(exchange, due: due, &fresh)
        try waitForRoom(connection)
        return true
    }

    /// Each connection has its own exchanges, so none runs twice at the same time.
    private func nextExchange(of connection: Connection) -> Exchange? {
        if settings.isOnce, connection.number >= exchanges.count { return nil }
        let first = connection.number % exchanges.count
        let count = (exchanges.count - first - 1) / settings.connections + 1
        if settings.isOnce, connection.begun == count { return nil }
        return exchanges[first + connection.begun % count * settings.connections]
    }

    private func advance(_ connection: Connection) throws(Failure) {
        if connection.wantsToWrite {
            try connection.write()
            if !connection.wantsToWrite {
                try queue.change(connection.socket, number: connection.number, writing: false)
            }
        }
        try read(connection)
    }

    private func read(_ connection: Connection) throws(Failure) {
        switch try connection.read(into: buffer) {
        case .waiting: return
        case .next(let status):
            figures.statuses[status, default: 0] += 1
            try waitForRoom(connection)
        case .done(let status):
            figures.statuses[status, default: 0] += 1
            figures.exchanges += 1
            figures.latency.add(Moment.now.microseconds(since: connection.due))
            giveBack(connection)
        case .wrong(let status, let body):
            figures.statuses[status, default: 0] += 1
            wrong += 1
            if firstWrong == nil {
                firstWrong = "\(status) \(String(decoding: body.prefix(1000), as: UTF8.self))"
            }
            giveBack(connection)
        }
    }

    private func giveBack(_ connection: Connection) {
        if connection.number < settings.connections { free.give(connection.number) }
    }

    private func waitForRoom(_ connection: Connection) throws(Failure) {
        guard connection.wantsToWrite else { return }
        try queue.change(connection.socket, number: connection.number, writing: true)
    }

    // MARK: - Patience

    private func events() throws(Failure) -> [EventQueue.Event] {
        let events = try queue.next(within: settings.patienceSeconds)
        guard !events.isEmpty else {
            throw Failure("the server has said nothing for \(settings.patienceSeconds) s")
        }
        return events
    }

    private func giveUpIfTooLate(_ start: Moment, _ seconds: Double) throws(Failure) {
        guard let rate = settings.rate else { return }
        guard Moment.now.seconds(since: start) > 3 * seconds + settings.patienceSeconds else {
            return
        }
        throw Failure(
            "the server does not keep up with \(rate) exchanges a second",
            help: "take a lower '--rate'")
    }
}

/// Idle connections, in the order in which they became idle.
private struct Free {
    private var numbers: [Int] = []
    private var taken = 0

    init(_ numbers: [Int] = []) { self.numbers = numbers }

    var count: Int { numbers.count - taken }
    var isEmpty: Bool { count == 0 }

    mutating func give(_ number: Int) { numbers.append(number) }

    mutating func take() -> Int {
        let number = numbers[taken]
        taken += 1
        if taken > 4096 {
            numbers.removeFirst(taken)
            taken = 0
        }
        return number
    }
}
