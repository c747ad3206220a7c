import SyncProtocol

/// Asks until an answer is accepted, and returns it. Throws if none is within the limit of a wait.
func asked<Value>(
    _ ask: () async throws -> Value, until isAccepted: (Value) throws -> Bool
) async throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: .seconds(Program.deadlineSeconds))
    while true {
        let answer = try await ask()
        if try isAccepted(answer) { return answer }
        guard ContinuousClock.now < deadline else {
            throw Unexpected("waited in vain, the last answer is \(answer)")
        }
        await Task.yield()
    }
}

/// The result of the first attempt that has one. An attempt whose steps had to follow each other
/// faster than the machine let them returns nil.
func attempted<Value>(_ attempt: () async throws -> Value?) async throws -> Value {
    for _ in 0..<10 {
        if let result = try await attempt() { return result }
    }
    throw Unexpected("no attempt was in time")
}

/// Measures the longest time between two steps of a test.
struct Pace {
    private(set) var longest = Duration.zero
    private var last = ContinuousClock.now

    mutating func step() {
        let now = ContinuousClock.now
        longest = max(longest, last.duration(to: now))
        last = now
    }
}

extension Finished {
    /// Whether others kept the lock of the database for too long.
    var foundLock: Bool { errors.contains("is locked by another program") }
}

extension Answer {
    /// Whether others kept the lock of the database for too long.
    var foundLock: Bool {
        status == 503 && (try? message(as: ErrorMessage.self))?.code == "busy"
    }
}

extension Client {
    /// Sends a sync again whenever others kept the lock of the database for too long.
    func syncOnceUnlocked(
        _ changes: [ChangeMessage], cursor: String? = nil
    ) async throws -> SyncResponse {
        let request = SyncRequest(cursor: cursor, changes: changes)
        let answer = try await asked({ try await ask(request) }, until: { !$0.foundLock })
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return try answer.message(as: SyncResponse.self)
    }
}
