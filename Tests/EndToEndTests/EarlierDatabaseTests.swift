import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite("Databases of earlier versions", .timeLimit(.minutes(5)))
struct EarlierDatabaseTests {
    static let versions = ["0.1.0"]

    /// Repeated pushes, pulls with old cursors, conflicts, histories, files, and tickets of
    /// original clients.
    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func everyQuestionHasTheSameAnswer(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            for environment in EarlierDatabase.Environment.allCases {
                let server = try await database.server(of: environment)
                let questions = database.questions(of: environment)
                #expect(!questions.isEmpty)
                for question in questions {
                    let answer = try await question.asked(of: server)
                    #expect(answer == question.answer, "\(question.method) \(question.path)")
                }
                #expect(await server.stop() == 0)
            }
            #expect(try await database.site.isIntact())
        }
    }

    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func notificationsComeSinceTheLastEvent(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let server = try await database.server(of: .test)
            let events = database.events
            let live = try await LiveConnection(
                try database.client("ann", of: server), after: events.lastEventID)
            var ids: [String] = []
            while ids.count < events.ids.count {
                ids.append(try #require(try await live.notification()).message().id)
            }
            #expect(ids == events.ids)
        }
    }

    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func conflictsAreResolvedAndSyncsGoOn(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let server = try await database.server(of: .test)
            let (ann, bob, dora) = (
                try database.client("ann", of: server), try database.client("bob", of: server),
                try database.client("dora", of: server)
            )
            var page = try await ann.sync(cursor: database.cursorOfAnn, limit: 1000)
            #expect(!page.resync && !page.records.isEmpty)

            let disputed = try await conflicts(dora)
            #expect(disputed.contains { $0.guid == earlier(3) && $0.conflicts?.count == 3 })
            for record in disputed {
                let outcome = try await dora.push(
                    .resolve(
                        record.guid, of: record.model, from: record.revision, [:]))
                #expect(outcome.outcome == .accepted, "\(record.guid)")
            }
            #expect(try await conflicts(dora).isEmpty)
            let created = fresh()
            #expect(
                try await bob.push(
                    .create(created, of: "customer", ["code": "new", "title": "New"])
                ).outcome == .accepted)
            page = try await ann.sync(cursor: page.cursor, limit: 1000)
            #expect(
                Set(page.records.map(\.guid)) == Set(disputed.map(\.guid)).union([created]))
            #expect(page.records.allSatisfy { !$0.conflicted })
        }
    }

    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func everyDeployedDefinitionIsAVersion(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let site = database.site
            let list = try await site.waggle("versions", "list", "--format", "json").output
            #expect(!list.isEmpty && list.contains("\"number\":1"), "\(list)")
            let current = try await site.waggle("definition", "show").output
            let numbers = list.matches(of: /"number":(\d+)/).map { String($0.1) }
            var sources: [String] = []
            for number in numbers {
                sources.append(try await site.waggle("versions", "show", number).output)
            }
            #expect(sources.contains(current) && Set(sources).count == numbers.count)
        }
    }

    private func conflicts(_ client: Client) async throws -> [RecordMessage] {
        try await client.call("GET", "conflicts").message(as: ConflictsResponse.self).records
    }

    /// Earlier versions hashed with scrypt. Open sessions stay valid.
    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func passwordIsHashedAgainAtTheNextSignIn(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let server = try await database.server(of: .test)
            let session = try await server.signIn("bob")
            let hashes = try await database.site.sql(
                "SELECT login, password_hash FROM users WHERE login IN ('ann', 'bob')")
            for line in hashes.split(separator: "\n") {
                let isNew = line.hasPrefix("bob")
                #expect(line.contains("$argon2id$") == isNew && line.contains("scrypt$") != isNew)
            }
            #expect(try await server.signIn("bob").role == session.role)
            #expect(try await server.askToSignIn("bob", password: "a wrong one").status == 401)
            _ = try await Client(server: server, token: session.token).sync(limit: 1)
        }
    }

    /// State other than records: unique values, used guids, passwords, interrupted uploads, and
    /// removed users.
    @Test(arguments: versions, [Backend.sqlite, .postgres])
    func otherStoredStateStillHolds(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let server = try await database.server(of: .test)
            let ann = try database.client("ann", of: server)
            let taken: [(String, JSONValue, String)] = [
                (fresh(), "c1", "notUnique"), (earlier(900), "new", "guidTaken"),
            ]
            for (guid, code, cause) in taken {
                let outcome = try await ann.push(
                    .create(guid, of: "customer", ["code": code, "title": "x"]))
                #expect(outcome.causes?.map(\.code) == [cause])
            }
            let contents = Data("half of a file, the rest of which never came".utf8)
            #expect(try await ann.put(earlier(203), contents, from: 20).status == 201)
            #expect(try await ann.get(earlier(203)).body == contents)

            let bob = try await server.signIn("bob")
            #expect(bob.role == "field-mobile")
            let eve = try await server.signIn("eve")
            #expect(eve.role == "office-mobile", "she is in another group by now")
            #expect(try await server.askToSignIn("sam").status == 401)
            #expect(await server.stop() == 0)
            let purged = try await database.site.waggle("sweep", "--keep-deleted-days", "0")
            #expect(purged.exitCode == 0, "\(purged.errors)")
        }
    }
}

/// A guid as numbered in `story.py`.
func earlier(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 8 - digits.count) + digits
        + "-0000-4000-8000-000000000000"
}
