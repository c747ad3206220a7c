import Foundation
import Golden
import Waggle

/// Measures operations of a device, for `Tests/Benchmarks/device.py`:
///
///     DeviceBenchmark first SERVER FOLDER
///     DeviceBenchmark push SERVER FOLDER RECORDS
///     DeviceBenchmark compare ROUNDS SERVER FOLDER SERVER FOLDER
///
/// Prints JSON; times are in seconds.
@main struct DeviceBenchmark {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("first", 3): try tell(try await first(words[1], words[2]))
        case ("push", 4):
            guard let records = Int(words[3]) else { throw WrongUsage(words: words) }
            try tell(try await push(records, words[1], words[2]))
        case ("compare", 6):
            guard let rounds = Int(words[1]) else { throw WrongUsage(words: words) }
            let lanes = [
                try await Lane(server: words[2], folder: words[3]),
                try await Lane(server: words[4], folder: words[5]),
            ]
            try tell(try await compare(lanes, rounds: rounds))
        case _: throw WrongUsage(words: words)
        }
    }

    private static func first(_ server: String, _ folder: String) async throws -> [String: Double] {
        let database = try await device(of: server, in: folder)
        let seconds = try await time { try await database.sync() }
        let records = try await database.count(MMDSite.self) + database.count(MMDCustomer.self)
        return ["seconds": seconds, "records": Double(records)]
    }

    private static func push(
        _ records: Int, _ server: String, _ folder: String
    ) async throws -> [String: Double] {
        let database = try await device(of: server, in: folder)
        let customer = MMDCustomer(name: "Pushed")
        let save = try await time {
            try await database.transaction { transaction in
                try transaction.save(customer)
                for number in 1..<records {
                    try transaction.save(
                        MMDSite(
                            customer: customer.reference, name: "Site \(number)",
                            address: "\(number) Long Road", accessCode: "\(number)"))
                }
            }
        }
        let sync = try await time { try await database.sync() }
        return ["save": save, "sync": sync]
    }

    private static func compare(_ lanes: [Lane], rounds: Int) async throws -> [Compared] {
        try await compare(lanes, rounds: rounds) { lane, round in try await lane.measureOne(round) }
            + compare(lanes, rounds: rounds) { lane, round in try await lane.measureAll(round) }
    }

    private static func compare(
        _ lanes: [Lane], rounds: Int,
        measure: (Lane, _ round: Int) async throws -> [(what: String, seconds: Double)]
    ) async throws -> [Compared] {
        var compared: [Compared] = []
        for round in 0..<rounds {
            for (place, lane) in lanes.enumerated() {
                for (step, (what, seconds)) in try await measure(lane, round).enumerated() {
                    if step == compared.count {
                        compared.append(Compared(what: what, seconds: lanes.map { _ in [] }))
                    }
                    compared[step].seconds[place].append(seconds)
                }
            }
        }
        return compared
    }

    private static func tell(_ figures: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figures))
    }
}

/// A step, and its duration in each lane.
private struct Compared: Encodable {
    let what: String
    var seconds: [[Double]]
}

struct WrongUsage: Error {
    let words: [String]
}

func device(of server: String, in folder: String) async throws -> Database {
    guard let server = URL(string: server) else { throw WrongUsage(words: [server]) }
    let database = try Database(
        try .mmdFieldService,
        Settings(
            mode: .test, server: server, deviceCategory: "office",
            folder: URL(filePath: folder)))
    try await database.logIn("dora", password: "a password")
    return database
}

func time(_ body: () async throws -> some Sendable) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    _ = try await body()
    return (clock.now - start) / .seconds(1)
}
