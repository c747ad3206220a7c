import DefinitionCompiler
import DefinitionModel
import Foundation
import JSON
import SyncProtocol
import Synchronization
import Testing

/// One server with several environments of several applications.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EnvironmentsTests {
    @Test func serverWithoutFileServesEveryEnvironmentOfDatabase() async throws {
        let site = try await Site.withEnvironments()
        let server = try await RunningServer(site: site, environments: 3)
        for served in ServedApp.all {
            let health = try await server.request("GET", "/v1/\(served.environment)/health")
                .message(as: HealthMessage.self)
            #expect(health.environment == served.environment)
            #expect(try served.digest == health.digest)
            let line = "environment '\(served.environment)': waggle/\(served.application) ("
            #expect(server.banner.contains(line), "\(server.banner)")
        }
        var records: [String: Set<String>] = [:]
        for served in ServedApp.all {
            let client = try await server.client("a", of: served)
            let guid = fresh()
            let change = ChangeMessage.create(guid, of: served.model, [served.field: "x"])
            #expect(try await client.push(change).outcome == .accepted)
            records[served.environment] = [guid]
        }
        for served in ServedApp.all {
            let client = try await server.client("a", of: served, device: "other")
            let found = Set(try await client.records().map(\.guid))
            #expect(found == records[served.environment], "\(served.environment)")
        }
    }

    @Test func tokenIsOfOneEnvironment() async throws {
        let site = try await Site.withEnvironments()
        let server = try await RunningServer(site: site, environments: 3)
        let one = try await server.client("a", of: ServedApp.all[0])
        var other = one
        other.environment = ServedApp.all[1].environment
        #expect(try await one.ask(SyncRequest()).status == 200)
        let answer = try await other.ask(SyncRequest())
        #expect(answer.status == 401)
        #expect(try answer.error().code == "tokenUnknown")
        let none = try await server.request("POST", "/v1/four/sync")
        #expect(none.status == 404)
        #expect(try none.error().code == "environmentUnknown")
    }

    /// Selected by vendor, application and instance.
    @Test func originalClientsAreServedEnvironmentOfTheirApplication() async throws {
        let site = try await Site.withEnvironments()
        let server = try await RunningServer(site: site, environments: 3)
        for served in ServedApp.all {
            let digest = try served.digest
            let client = try OriginalClient("a", of: server).with {
                $0.application = served.application
                $0.environment = served.environment
                $0.digest = digest
                $0.password = ServedApp.password
            }
            #expect(try await client.ask("GET", "authenticate").status == 200)
            let other = client.with { $0.application = "other" }
            let error = try OriginalError(try await other.ask("GET", "authenticate"))
            #expect(error.arguments == ["waggle/other", served.environment])
            let nowhere = client.with { $0.environment = "four" }
            let unknown = try OriginalError(try await nowhere.ask("GET", "authenticate"))
            #expect(unknown.arguments == ["four"])
        }
    }

    @Test func environmentThatIsDeployedWhileServerRunsIsServed() async throws {
        let site = try await Site.withEnvironments([ServedApp.all[0]])
        let server = try await RunningServer(site: site, environments: 1)
        let late = ServedApp.all[2]
        #expect(try await server.request("GET", "/v1/\(late.environment)/health").status == 404)
        try await late.deploy(0, in: site)
        try await late.addUser("a", in: site)
        let client = try await server.client("a", of: late)
        let change = ChangeMessage.create(fresh(), of: late.model, [late.field: "x"])
        #expect(try await client.push(change).outcome == .accepted)
    }

    /// With every process that serves the database. The clients write so much that the lock of a
    /// file may be kept from another one for too long, who then asks again.
    @Test func deploymentsFailNoRequestAndLoseNothing() async throws {
        let site = try await Site.withEnvironments()
        let server = try await RunningServer(site: site, environments: 3)
        var clients: [FollowingClient] = []
        for served in ServedApp.all {
            for device in ["1", "2"] {
                let client = try await server.client("a", of: served, device: device)
                clients.append(FollowingClient(client: client, app: served))
            }
        }
        let isOver = Flag()
        let followed = try await withThrowingTaskGroup(of: FollowingClient?.self) { group in
            for client in clients {
                group.addTask {
                    var client = client
                    while !isOver.isSet { try await client.pushOneAndPull() }
                    return client
                }
            }
            group.addTask {
                defer { isOver.set() }
                for version in 1...Self.versions {
                    for served in ServedApp.all { try await served.deploy(version, in: site) }
                }
                return nil
            }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        for served in ServedApp.all {
            var own = followed.filter { $0.app.environment == served.environment }
            let pushed = own.reduce(into: Set<String>()) { $0.formUnion($1.pushed) }
            #expect(pushed.count > Self.versions, "\(served.environment)")
            for index in own.indices {
                try await own[index].pullEverything()
                #expect(own[index].held == pushed, "\(served.environment)")
            }
        }
        try expectNoFailure(in: server.log())
    }

    /// But of those whose lock was kept from them.
    private func expectNoFailure(in log: String) {
        let lines = log.split(separator: "\n")
        let locked = lines.count { $0.contains("the database stayed locked") }
        for failure in [#""status":"5"#, #""level":"error""#] {
            #expect(lines.count { $0.contains(failure) } == locked, "\(log)")
        }
    }

    private static let versions = 4
}

/// An application in an environment. Each version of its definition adds a field.
private struct ServedApp: Sendable {
    let environment: String
    let application: String
    let definition: String
    let model: String
    let field: String

    static let password = "secret of all"

    static let all = [
        ServedApp(
            environment: "one", application: "conflicts", definition: "Conflicts",
            model: "ConflictsEntity", field: "title"),
        ServedApp(
            environment: "two", application: "conflicts", definition: "Conflicts",
            model: "ConflictsEntity", field: "title"),
        ServedApp(
            environment: "three", application: "todo", definition: "Todo", model: "TodoItem",
            field: "text"),
    ]

    private func text(_ version: Int) throws -> String {
        let fields = (0..<version).map { number in
            """
            <field name="extra\(number)" type="TEXT"><credentials>
            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
              updateAllowed="ALL"/></credentials></field>
            """
        }
        return try EndToEndTests.definition(definition)
            .changing("<fields>", to: "<fields>" + fields.joined())
    }

    /// The digest of the first version.
    var digest: String {
        get throws {
            let file = SourceFile(name: "application.xml", bytes: Array(try text(0).utf8))
            return try #require(compile(file).definition).digest
        }
    }

    func deploy(_ version: Int, in site: Site) async throws {
        let path = try site.writing(try text(version), to: "\(environment)-\(version).xml")
        let deployed = try await asked(
            { try await site.deployAcceptingAll(path, "--environment", environment) },
            until: { !$0.foundLock })
        guard deployed.exitCode == 0 else { throw Unexpected(deployed.errors) }
    }

    func addUser(_ login: String, in site: Site) async throws {
        let added = try await site.waggle(
            "user", "add", login, "--group", "users", "--password-stdin", "--environment",
            environment, input: Self.password + "\n")
        guard added.exitCode == 0 else { throw Unexpected(added.errors) }
    }
}

extension Site {
    /// A site with the user `a` in each environment.
    fileprivate static func withEnvironments(
        _ apps: [ServedApp] = ServedApp.all
    ) async throws -> Site {
        let site = try Site(definition: EndToEndTests.definition("Conflicts"))
        for app in apps {
            try await app.deploy(0, in: site)
            try await app.addUser("a", in: site)
        }
        return site
    }
}

extension RunningServer {
    fileprivate func client(
        _ login: String, of app: ServedApp, device: String = "phone"
    ) async throws -> Client {
        let session = try await signIn(
            login, password: ServedApp.password, device: device, to: app.environment)
        return Client(server: self, token: session.token, environment: app.environment)
    }
}

/// A client that creates records and stores what it pulls.
private struct FollowingClient: Sendable {
    let client: Client
    let app: ServedApp
    private(set) var pushed: Set<String> = []
    private(set) var held: Set<String> = []
    private var cursor: String?

    init(client: Client, app: ServedApp) {
        self.client = client
        self.app = app
    }

    mutating func pushOneAndPull() async throws {
        let guid = fresh()
        let change = ChangeMessage.create(guid, of: app.model, [app.field: "x"])
        let answer = try await client.syncOnceUnlocked([change], cursor: cursor)
        #expect(answer.outcomes.map(\.outcome) == [.accepted])
        pushed.insert(guid)
        take(answer)
    }

    mutating func pullEverything() async throws {
        var hasMore = true
        while hasMore {
            let answer = try await client.sync(cursor: cursor)
            take(answer)
            hasMore = answer.more
        }
    }

    private mutating func take(_ answer: SyncResponse) {
        if answer.resync { held = [] }
        held.formUnion(answer.records.map(\.guid))
        held.subtract(answer.dropped.map(\.guid))
        cursor = answer.cursor
    }
}

/// A flag for several tasks, set once.
private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}
