import DefinitionCompiler
import Foundation
import JSON
import NativeCalls
import SQLiteStore
import Secrets
import SyncEngine
import SyncProtocol
import UserAccounts

/// A server of the field service without HTTP, and two signed-in users. It has 1,000 customers, and
/// ten sites for each of the first hundred. Requests and answers are JSON.
struct FilledSite: Sendable {
    static let sitesOfCustomer = 10
    static let now = Instant(milliseconds: 1_800_000_000_000)

    enum Person: CaseIterable {
        /// May see and do everything.
        case dispatcher
        /// May not see two of the seven fields of a customer.
        case technician
    }

    let store: SQLiteDatabase
    let engine: Engine
    /// Cursors with a hundred new customers, and with none.
    private var beforeTheLast: [Person: String] = [:]
    private var afterAll: [Person: String] = [:]

    /// Closes the file after filling it, which checkpoints the write-ahead log; otherwise one of
    /// the paths would do that.
    init(_ source: [UInt8], in folder: String) async throws {
        let path = folder + "/counts.sqlite"
        var filling = try await FilledSite(source, at: path)
        try await filling.fill()
        try filling.store.close()
        self = try await FilledSite(source, at: path)
        (beforeTheLast, afterAll) = (filling.beforeTheLast, filling.afterAll)
    }

    private init(_ source: [UInt8], at path: String) async throws {
        store = try SQLiteDatabase(path: path)
        engine = try await servingEngine(of: source, on: store)
    }

    private mutating func fill() async throws {
        for person in Person.allCases { try await signIn(person) }
        for batch in 0..<9 {
            try await fill((0..<100).map { customer(batch * 100 + $0) })
        }
        for batch in 0..<10 {
            try await fill((0..<100).map { site(batch * 100 + $0) })
        }
        beforeTheLast = try await cursorsAfterAll()
        try await fill((900..<1000).map(customer))
        afterAll = try await cursorsAfterAll()
    }

    private func signIn(_ person: Person) async throws {
        let accounts = UserDirectory(
            store: store, environment: engine.environment, definition: engine.rules.definition)
        try await accounts.add(
            login: "\(person)", group: person.group, mail: "", isAdmin: false,
            passwordHash: "none", at: Instant(milliseconds: 0))
        _ = try await AccountEngine(engine: engine, store: store).signIn(
            SessionRequest(
                login: "\(person)", password: "", deviceCategory: person.deviceCategory,
                deviceIdentifier: "device"),
            token: NewToken(text: person.token, hash: person.tokenHash), at: Self.now,
            verify: { _, _ in true })
    }

    private func fill(_ changes: [String]) async throws {
        let answer = try Answer(try await sync(request(changes), as: .dispatcher))
        guard answer.accepted == changes.count else { throw WrongAnswer(answer) }
    }

    /// The cursors after the last page.
    private func cursorsAfterAll() async throws -> [Person: String] {
        var cursors: [Person: String] = [:]
        for person in Person.allCases {
            var answer: Answer
            repeat {
                let request = request(after: cursors[person], limit: 1000)
                answer = try Answer(try await sync(request, as: person))
                cursors[person] = answer.cursor
            } while answer.more
        }
        return cursors
    }
}

// MARK: - Requests

extension FilledSite {
    func sync(_ request: [UInt8], as person: Person) async throws -> [UInt8] {
        let message = try decodeMessage(SyncRequest.self, from: request)
        let caller = try await engine.identify(tokenHash: person.tokenHash, at: Self.now)
        return try await engine.answer(message, from: caller, at: Self.now).json()
    }

    /// Queries sites as the dispatcher.
    func find(_ query: String) async throws -> [UInt8] {
        let message = try FindRequest(query: query)
        let person = Person.dispatcher
        let caller = try await engine.identify(tokenHash: person.tokenHash, at: Self.now)
        let answer = try await engine.find(message, of: "site", for: caller)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(answer))
    }

    func pullOfNothing(by person: Person) -> [UInt8] { request(after: afterAll[person]) }

    func pullOfTheLast(by person: Person) -> [UInt8] {
        request(after: beforeTheLast[person], limit: 100)
    }

    /// Creates customers, and returns the cursors before the first ones of them.
    func addCustomers(_ count: Int, cursors: Int) async throws -> [String] {
        var found = [try await cursorsAfterAll()[.dispatcher] ?? ""]
        for batch in 0..<count / 100 {
            try await fill((0..<100).map { customer(9_000_000 + batch * 100 + $0) })
        }
        while found.count < cursors {
            let next = request(after: found.last)
            found.append(try Answer(try await sync(next, as: .dispatcher)).cursor)
        }
        return found
    }

    /// A pull that no device has asked for.
    func pull(after cursor: String, limit: Int) -> [UInt8] { request(after: cursor, limit: limit) }

    /// New customers each time.
    func creation(of count: Int, time: Int) -> [UInt8] {
        request((0..<count).map { customer(count * 100_000 + time * 1000 + $0) })
    }

    /// Other customers each time.
    func updates(time: Int) -> [UInt8] {
        request(
            (0..<100).map { number in
                let customer = 100 * time + number
                return """
                    {"id":"\(guid("update", customer))","action":"update","model":"customer",\
                    "guid":"\(guid("customer", customer))","base":1,\
                    "fields":{"phone":"+49 40 \(customer)"}}
                    """
            })
    }
}

private func request(
    _ changes: [String] = [], after cursor: String? = nil, limit: Int = 1
) -> [UInt8] {
    let start = cursor.map { "\"cursor\":\"\($0)\"," } ?? ""
    let changes = changes.joined(separator: ",")
    return Array("{\(start)\"limit\":\(limit),\"changes\":[\(changes)]}".utf8)
}

private func customer(_ number: Int) -> String {
    """
    {"id":"\(guid("creation", number))","action":"create","model":"customer",\
    "guid":"\(guid("customer", number))","fields":{"name":"Customer number \(number)",\
    "phone":"+49 30 \(number)","email":"customer.\(number)@example.org","active":true,\
    "customerSince":\(1_700_000_000_000 + number),"creditLimit":"1250.50",\
    "internalNotes":"Rings twice, and wants to be called the day before."}}
    """
}

private func site(_ number: Int) -> String {
    """
    {"id":"\(guid("site creation", number))","action":"create","model":"site",\
    "guid":"\(guid("site", number))","fields":{\
    "customer":"\(guid("customer", number / FilledSite.sitesOfCustomer))",\
    "name":"Site \(number) of many","address":"\(number) Long Road, in a town with a name",\
    "latitude":"52.520008","longitude":"13.404954","accessCode":"code \(number)"}}
    """
}

/// Distributed like random guids, and the same in each run.
func guid(_ kind: String, _ number: Int) -> String {
    let hash = "\(kind) \(number)".utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let mixed = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
    let digits = String(mixed, radix: 16)
    let all = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(all.prefix(8))-0000-4000-8000-\(all.suffix(8))0000"
}
