import Glibc

/// The start times of exchanges.
enum Schedule {
    /// As soon as a connection is idle.
    case whenFree
    /// At independent random times, with a given rate.
    case atRandom(RandomMoments)
}

/// The events of a Poisson process, the same in each run.
struct RandomMoments {
    private(set) var next: Moment
    private let rate: Double
    private var random = SplitMix(seed: 1)

    init(from start: Moment, rate: Double) {
        next = start
        self.rate = rate
        advance()
    }

    mutating func advance() {
        let part = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
        next = next + (-log(part) / rate)
    }
}
