import FileExchange
import Hashing
import SyncEngine
import TestKit
import Testing

/// An environment `full` with rows in every table and distinct values in every column.
struct Filled {
    private(set) var rows: [EnvironmentTable: [EnvironmentRow]] = [:]
    private let environment: EnvironmentID

    init(_ bench: StoreBench, rowsOfEach count: Int) async throws {
        let database = try #require(bench.database).rows
        let deployed = try await bench.store.deploy(to: "full") { _ in .success(.test()) }
        environment = try deployed.get().state.id
        for key in EnvironmentKey.allCases {
            _ = try await bench.store.key(key, of: environment, orStoring: [1, 2, 3])
        }
        for table in EnvironmentTable.allCases {
            let made = (0..<count).map { row($0, of: table) }
            rows[table] = made
            for start in stride(from: 0, to: count, by: 200) {
                try await database.add(
                    Array(made[start..<min(start + 200, count)]), to: table, in: environment)
            }
        }
    }

    /// The rows of every table in a snapshot, in key order.
    func contents(of bench: StoreBench) async throws -> [EnvironmentTable: [EnvironmentRow]] {
        let snapshot = try await #require(bench.database).rows.snapshot()
        let names = try await snapshot.environments()
        let found = try await snapshot.head(of: names.last ?? "")
        let id = try #require(found).id
        var contents: [EnvironmentTable: [EnvironmentRow]] = [:]
        for table in EnvironmentTable.allCases {
            contents[table] = try await snapshot.rows(
                of: table, in: id, .everything, limit: .max
            ).sorted { $0.lexicographicallyPrecedes($1, by: precedes) }
        }
        await snapshot.close()
        return contents
    }

    /// Deletes, inserts and updates one row of each table.
    mutating func change(_ bench: StoreBench) async throws {
        let database = try #require(bench.database).rows
        for table in EnvironmentTable.allCases {
            guard let present = rows[table] else { continue }
            let next = present.dropFirst().dropLast() + [row(present.count * 2, of: table)]
            rows[table] = Array(next)
        }
        for table in EnvironmentTable.allCases {
            guard let next = rows[table] else { continue }
            _ = try await database.put(next, in: .everything, of: table, in: environment)
        }
    }
}

private func precedes(_ a: Cell, _ b: Cell) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    default: false
    }
}

/// Texts contain characters that are hard to store, and every third optional value is missing.
private func row(_ number: Int, of table: EnvironmentTable) -> EnvironmentRow {
    table.columns.enumerated().map { place, column in
        let isKey = place < table.key.count
        switch column.name {
        case "login" where table != .users && table != .outcomes && table != .files:
            return .text(key(number))
        case let name where !isKey && optional.contains(name) && number % 3 == 0: return .null
        default: break
        }
        return switch column.kind {
        case .integer: .integer(Int64(number * 100 + place + 1))
        case .flag: .flag((number + place) % 2 == 0)
        case .text: .text(isKey ? key(number) : "\(key(number))\u{1}\(place)e\u{301}\u{0}")
        case .bytes: .bytes([UInt8](repeating: 0, count: 3) + Array(key(number).utf8))
        case .texts: .texts(["", "\u{0}", "a/\"b\"", key(number)])
        }
    }
}

/// Ordered like the numbers, by bytes.
private func key(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.count) + digits + "\u{0}\u{E9}"
}

private let optional: Set<String> = [
    "upload", "sha256", "size", "confirmed", "ticket", "rejection", "delivered", "details",
    "logins",
]

// MARK: - Files

extension Filled {
    func put(_ bytes: [UInt8], as guids: [String], in bench: StoreBench) async throws {
        try await put(bytes, as: guids, stored: bytes, in: bench)
    }

    /// Records contents for files, and stores these, others, or none.
    func put(
        _ bytes: [UInt8], as guids: [String], stored: [UInt8]?, in bench: StoreBench
    ) async throws {
        let database = try #require(bench.database)
        let hash = hash(of: bytes)
        let isThere: Int64 = 1
        let rows: [EnvironmentRow] = guids.map { guid in
            [
                .text(guid), .text("a"), .integer(1), .integer(isThere), .text(guid),
                .text(hash.hex), .integer(Int64(bytes.count)), .integer(isThere),
            ]
        }
        try await database.rows.add(rows, to: .files, in: environment)
        guard let stored else { return }
        let upload = try await database.contents.open(upload: hash.hex)
        #expect(try await upload.append(stored))
        let isShelved: Void? = try await database.contents.commitUpload(upload: hash.hex, as: hash)
        {
            () async throws(StoreError) in
        }
        #expect(isShelved != nil)
    }

    /// Nil if the contents are not stored.
    func read(_ bytes: [UInt8], in bench: StoreBench) async throws -> [UInt8]? {
        let contents = try #require(bench.database).contents
        let found = try await contents.open(hash(of: bytes), size: Int64(bytes.count))
        return try await found?.read(bytes.count + 1, at: 0)
    }

    private func hash(of bytes: [UInt8]) -> ContentHash {
        guard let hash = ContentHash(SHA256.hash(bytes)) else {
            preconditionFailure("a hash has 32 bytes")
        }
        return hash
    }
}
