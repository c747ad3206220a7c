import Foundation
import SyncProtocol
import Testing

/// A user with the device category of a prepared session.
struct Seat: Hashable, Sendable, CustomStringConvertible {
    let login: String
    let group: String
    let deviceCategory: String

    /// `tina-mobile`.
    var description: String { "\(login)-\(deviceCategory)" }
    var role: String { "\(group)-\(deviceCategory)" }

    init(_ login: String, _ group: String, _ deviceCategory: String) {
        self.login = login
        self.group = group
        self.deviceCategory = deviceCategory
    }

    static let films = [Seat("a", "users", "mobile"), Seat("b", "users", "mobile")]

    static let fieldService = [
        Seat("tina", "technicians", "mobile"), Seat("tom", "technicians", "mobile"),
        Seat("dora", "dispatchers", "office"), Seat("dora", "dispatchers", "mobile"),
        Seat("carl", "customers", "mobile"), Seat("carl", "customers", "office"),
        Seat("cora", "customers", "mobile"),
    ]
}

/// A database with users and sessions but no records. Hashing passwords is slow by design, so the
/// users of each definition are created and signed in once, and every test starts with a copy.
struct PreparedDatabase: Sendable {
    private let site: Site
    /// Tokens by seat.
    let tokens: [Seat: String]
    /// A session of the operator `ann`, a designer; nil if there is no operator.
    let designer: AdminCredentials?

    fileprivate init(_ site: Site, tokens: [Seat: String], designer: AdminCredentials?) {
        self.site = site
        self.tokens = tokens
        self.designer = designer
    }

    func copy(in folder: TemporaryFolder) throws -> SiteDatabase { try site.copyOfData(in: folder) }

    static func password(of login: String) -> String { "the secret of \(login)" }

    /// `isAdministered` adds the designer.
    static func of(
        _ definition: String, isAdministered: Bool = false
    ) async throws -> PreparedDatabase {
        try await cache.database(of: definition, isAdministered)
    }

    private static let cache = Cache()

    private actor Cache {
        private var tasks: [String: Task<PreparedDatabase, any Error>] = [:]

        func database(
            of definition: String, _ isAdministered: Bool
        ) async throws -> PreparedDatabase {
            let key = isAdministered ? "\(definition) with ann" : definition
            let task = tasks[key] ?? Task { try await prepare(definition, isAdministered) }
            tasks[key] = task
            return try await task.value
        }
    }
}

private func prepare(_ name: String, _ isAdministered: Bool) async throws -> PreparedDatabase {
    let site = try Site(definition: definition(name))
    let seats = name == "FieldService" ? Seat.fieldService : Seat.films
    try await expectSuccess(site.waggle("deploy", site.definition))
    let users = Dictionary(seats.map { ($0.login, $0) }) { first, _ in first }
    // The activity log has them in this order.
    for (_, seat) in users.sorted(by: { $0.key < $1.key }) {
        try await expectSuccess(
            site.waggle(
                "user", "add", seat.login, "--group", seat.group, "--password-stdin",
                input: PreparedDatabase.password(of: seat.login) + "\n"))
    }
    let server = try await RunningServer(site: site)
    var tokens: [Seat: String] = [:]
    for seat in seats {
        let session = try await server.signIn(seat.login, on: seat.deviceCategory)
        tokens[seat] = session.token
    }
    let designer = isAdministered ? try await server.operatorSession("ann", "designer") : nil
    #expect(await server.stop() == 0)
    return PreparedDatabase(site, tokens: tokens, designer: designer)
}

private func expectSuccess(_ finished: Finished) throws {
    guard finished.exitCode == 0 else { throw Unexpected(finished.errors) }
}

extension Site {
    /// A site with signed-in users and no records: `a` and `b` in the group `users`, or those of
    /// `Seat.fieldService`. A changed definition is deployed over the original. With
    /// `isAdministered` there is the operator `ann` too, a designer.
    init(
        prepared name: String, changing change: (String) throws -> String = { $0 },
        isAdministered: Bool = false
    ) async throws {
        let prepared = try await PreparedDatabase.of(name, isAdministered: isAdministered)
        let original = try EndToEndTests.definition(name)
        let text = try change(original)
        try self.init(definition: text, copying: prepared)
        if text != original { try await expectSuccess(deployAcceptingAll(definition)) }
    }
}
