import Glibc

/// When exchanges begin.
enum Schedule {
    /// As soon as a connection is free.
    case whenFree
    /// At random moments that do not know of each other, as clients do not: so many a second.
    case atRandom(RandomMoments)
}

/// Moments of a Poisson process. They are the same in each run, from its start.
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
