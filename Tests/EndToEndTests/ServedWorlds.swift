import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// Two environments of one server with the histories of `HiddenHistories`. The reader sends the
/// same requests to both.
struct ServedWorlds {
    /// A response by which the reader can tell the worlds apart.
    struct Difference: Error {
        let asked: String
        let responses: [String]
    }

    private static let names = ["one", "two"]

    private let server: RunningServer
    private let keepers: [Client]
    private let reader: ServedReader
    private let phones: [OriginalClient]
    let foreign: [ForeignReader]
    var histories: HiddenHistories
    /// By model, the time in each world up to which a client of Azure Mobile has pulled.
    var azureTimes: [String: [String]] = [:]
    private var seen: [String?] = [nil, nil]
    private var cursors: [String?] = [nil, nil]
    private var files: [String] = []
    private var steps = 0
    /// The kinds of requests that succeeded.
    private(set) var successes: Set<String> = []

    /// - Parameter isBlind: Whether the worlds differ in what the reader sees, too.
    init(seed: UInt64, isBlind: Bool = false) async throws {
        let histories = HiddenHistories(seed: seed, isBlind: isBlind)
        self.histories = histories
        let site = try Site(definition: Markup(histories.secrecy.definition).description)
        for name in Self.names {
            try await expectSuccess(
                site.waggle("deploy", site.definition, "--environment", name))
            for (login, group) in [("keeper", "keepers"), ("reader", "readers")] {
                try await expectSuccess(
                    site.waggle(
                        ["user", "add", login, "--group", group, "--environment", name]
                            + (login == "keeper" ? ["--admin"] : []) + ["--password-stdin"],
                        input: PreparedDatabase.password(of: login) + "\n"))
            }
        }
        let server = try await RunningServer(
            site: site, environments: Self.names.count, arguments: ["--azure", "--parse"])
        self.server = server
        keepers = try await server.clients("keeper", in: Self.names)
        reader = ServedReader(clients: try await server.clients("reader", in: Self.names))
        phones = try Self.names.map { name in
            try OriginalClient("reader", on: "old-phone", of: server).with {
                $0.environment = name
            }
        }
        var foreign: [ForeignReader] = []
        for name in Self.names {
            foreign.append(try await ForeignReader(in: name, of: server))
        }
        self.foreign = foreign
    }

    /// Throws `Difference`.
    mutating func go(steps: Int) async throws {
        for _ in 0..<6 { try await keep() }
        for _ in 0..<steps {
            switch histories.random.number(in: 0..<17) {
            case 0...2: try await keep()
            case 3...4: try await sync()
            case 5: try await find()
            case 6: try await read()
            case 7: try await conflicts()
            case 8: try await file()
            case 9...10: try await take(.azure)
            case 11...12: try await take(.parse)
            case 13: try await take(.azureLater)
            case 14: try await take(.parseLater)
            case 15: try await link()
            case _: try await exchange()
            }
        }
    }

    /// Asks in both worlds and compares status, headers and body.
    mutating func same(
        _ asked: String, _ ask: (Int) async throws -> Answer
    ) async throws -> [Answer] {
        let answers = [try await ask(0), try await ask(1)]
        let responses = answers.map(\.comparable)
        guard responses[0] == responses[1] else {
            throw Difference(asked: asked, responses: responses)
        }
        if answers[0].status < 300 { successes.insert(asked) }
        return answers
    }
}

/// A reader in each of the worlds.
private struct ServedReader: Sendable {
    let clients: [Client]

    func ask(
        _ world: Int, _ method: String, _ path: String, _ message: (any Encodable)? = nil
    ) async throws -> Answer {
        let client = clients[world]
        return try await client.server.request(
            method, "/v1/\(client.environment)/\(path)",
            body: try message.map { try JSONEncoder().encode($0) },
            headers: ["Authorization": "Bearer \(client.token)"])
    }
}

private func expectSuccess(_ finished: Finished) throws {
    guard finished.exitCode == 0 else { throw Unexpected(finished.errors) }
}

extension RunningServer {
    fileprivate func clients(_ login: String, in environments: [String]) async throws -> [Client] {
        var clients: [Client] = []
        for name in environments {
            let session = try await signIn(login, to: name)
            clients.append(Client(server: self, token: session.token, environment: name))
        }
        return clients
    }
}

extension Site {
    fileprivate func waggle(_ arguments: [String], input: String) async throws -> Finished {
        try await Tool.run(arguments + ["--database", database], input: input, in: folder)
    }
}

extension Answer {
    /// Everything that must be the same: without times and the names of the worlds, and with the
    /// lengths of cursors, tickets and the seals of links, which are random.
    fileprivate var comparable: String {
        let body = text.replacing(/"at":\d+/, with: "\"at\":0")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "T")
            .replacing(/"cursor":"([^"]*)"/) { "cursor of \($0.1.utf8.count)" }
            .replacing(#/parse/files/(one|two)/([^/"]*)/#) { "seal of \($0.2.utf8.count)" }
        // The server invents an id for each request.
        let fields = headers.filter { !["date", "x-request-id"].contains($0.key.lowercased()) }
            .map { "\($0.key): \($0.value.replacing(#/^/azure/(one|two)/#, with: "/azure"))" }
        return "\(status)\n\(fields.sorted().joined(separator: "\n"))\n\(body)"
    }
}

// MARK: - Changes

extension ServedWorlds {
    /// A change of the keeper, who has seen everything.
    private mutating func keep() async throws {
        var states: [String: (revision: Int64, isDeleted: Bool)] = [:]
        for world in [0, 1] {
            var page: SyncResponse
            repeat {
                page = try await keepers[world].sync(cursor: seen[world], limit: 1000)
                seen[world] = page.cursor
                guard world == 0 else { continue }
                for record in page.records {
                    states[record.guid] = (record.revision, record.deleted)
                }
            } while page.more
        }
        histories.note(states)
        let step = histories.nextOfKeeper()
        var outcomes: [OutcomeMessage] = []
        for world in [0, 1] {
            outcomes.append(try await keepers[world].push(step.changes[world], seen: seen[world]))
            try await upload(step.changes[world], in: world)
        }
        try #require(
            outcomes[0].outcome == outcomes[1].outcome
                && outcomes[0].revision == outcomes[1].revision,
            "the worlds have different histories")
        if step.changes[0].action == .create { try await move(step.item) }
    }

    /// The keeper makes a pair of records: in each world of others, unless the reader sees pairs.
    private mutating func link() async throws {
        let (model, owner, target) = RandomSecrecy.pairs
        let isSeen = histories.secrecy.tells(of: model, Kinship(isOwner: false, isInGroup: false))
        steps += 1
        let guid = "00000000-0000-4000-9000-" + String("\(1_000_000_000_000 + steps)".dropFirst())
        var ends: [String: [String]] = [:]
        for (name, kind) in [("from", owner), ("to", target)] {
            let known = histories.items.filter {
                $0.model == kind && !$0.isDeleted && !$0.isGhost && $0.revision > 0
            }
            guard let first = histories.random.one(of: known),
                let second = isSeen ? first : histories.random.one(of: known)
            else { return }
            ends[name] = [first.guids[0], second.guids[1]]
        }
        var outcomes: [OutcomeMessage] = []
        for world in [0, 1] {
            outcomes.append(
                try await keepers[world].push(
                    .create(guid, of: model, ends.mapValues { .string($0[world]) }),
                    seen: seen[world]))
        }
        try #require(
            outcomes[0].outcome == outcomes[1].outcome, "the worlds have different histories")
    }

    /// Makes the reader the owner of a new record, or puts it into the reader's group.
    private func move(_ item: Int) async throws {
        let kinship = histories.items[item].kinship
        guard kinship.isOwner || kinship.isInGroup else { return }
        let request = OwnershipRequest(
            owner: kinship.isOwner ? "reader" : nil, group: kinship.isInGroup ? "readers" : nil)
        for world in [0, 1] {
            let (model, guid) = (histories.items[item].model, histories.items[item].guids[world])
            let answer = try await server.request(
                "PATCH", "/v1/\(Self.names[world])/records/\(model)/\(guid)/ownership",
                body: try JSONEncoder().encode(request),
                headers: ["Authorization": "Bearer \(keepers[world].token)"])
            try #require(answer.status == 200, "\(answer.text)")
        }
    }

    /// Uploads the contents of a file of every second change. They depend on its guid alone.
    private mutating func upload(_ change: ChangeMessage, in world: Int) async throws {
        guard case .object(let members)? = change.fields["file"],
            case .string(let guid)? = members["guid"]
        else { return }
        files.append(guid)
        let number = guid.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1009 }
        guard number.isMultiple(of: 2) else { return }
        let bytes = Data(String(repeating: guid, count: number % 50 + 1).utf8)
        let answer = try await server.request(
            "PUT", "/v1/\(Self.names[world])/files/\(guid)", body: bytes,
            headers: [
                "Authorization": "Bearer \(keepers[world].token)",
                "Repr-Digest": digest(of: bytes),
            ])
        try #require([200, 201].contains(answer.status), "\(answer.text)")
    }

    /// A push and a pull, from the last cursor or from the start, page by page.
    private mutating func sync() async throws {
        let count = histories.random.number(in: 0...3)
        var changes = (0..<count).map { _ in histories.nextOfReader() }
        if histories.random.number(in: 0..<5) == 0 { cursors = [nil, nil] }
        var acknowledged: [String] = []
        var hasMore = true
        while hasMore {
            let limit = histories.random.flip() ? nil : histories.random.number(in: 1...6)
            let (before, pushed, done, reader) = (cursors, changes, acknowledged, reader)
            let answers = try await same("sync") { world in
                try await reader.ask(
                    world, "POST", "sync",
                    SyncRequest(
                        cursor: before[world], limit: limit, changes: pushed, acknowledged: done))
            }
            guard answers[0].status == 200 else { return }
            let pages = try answers.map { try $0.message(as: SyncResponse.self) }
            for (change, outcome) in zip(changes, pages[0].outcomes)
            where change.action == .create && outcome.outcome == .accepted {
                histories.add(change.guid, of: change.model)
            }
            cursors = pages.map(\.cursor)
            (changes, acknowledged) = ([], pages[0].outcomes.map(\.id))
            hasMore = pages[0].more
        }
    }

    /// A sync of an original client. It sends no record that exists in one world only.
    private mutating func exchange() async throws {
        var lines: [String: OriginalLine] = [:]
        let known = histories.items.filter { !$0.isGhost }
        for _ in 0..<histories.random.number(in: 0...2) {
            let change = histories.nextOfReader()
            guard let item = histories.random.one(of: known) else { continue }
            var line = OriginalLine(item.guids[0], of: item.model, change.fields)
            line.isDeleted = histories.random.number(in: 0..<6) == 0
            line.resolves = histories.random.number(in: 0..<4) == 0
            lines[line.guid] = line
        }
        let phones = phones
        let archive = try phones[0].archive(lines.sorted { $0.key < $1.key }.map(\.value))
        let tickets = [
            try await phones[0].post(archive: archive), try await phones[1].post(archive: archive),
        ]
        try #require(tickets.map(\.status) == [200, 200], "\(tickets.map(\.text))")
        _ = try await same("upload") { world in
            try await phones[world].ask("GET", "checkStatus?ticket=\(tickets[world].text)")
        }
        var deliveries: [OriginalDelivery] = []
        var sizes: [Int] = []
        for (phone, ticket) in zip(phones, tickets) {
            let answer = try await phone.get("GET", "data?ticket=\(ticket.text)")
            sizes.append(answer.body.count)
            deliveries.append(try OriginalDelivery(archive: answer.body))
        }
        guard deliveries[0].lines == deliveries[1].lines,
            deliveries[0].files == deliveries[1].files, sizes[0] == sizes[1],
            deliveries[0].deletedFiles == deliveries[1].deletedFiles
        else {
            throw Difference(
                asked: "download", responses: zip(deliveries, sizes).map { "\($1) \($0.lines)" })
        }
        successes.insert("download")
        if histories.random.flip() {
            for (phone, ticket) in zip(phones, tickets) { try await phone.confirm(ticket.text) }
        }
    }
}

// MARK: - Queries

extension ServedWorlds {
    private mutating func find() async throws {
        let model = histories.random.one(of: RandomSecrecy.models) ?? ""
        let guid = histories.anyGuid(of: histories.random.one(of: histories.items))
        let filter =
            histories.random.one(of: [
                "", #"{"prefix":["a","1"]}"#, #"{"null":"c"}"#, #"{"prefix":["up.b","1"]}"#,
                #"{"eq":["up","\#(guid)"]}"#,
            ]) ?? ""
        let sort = histories.random.one(of: ["", "&sort=a", "&sort=-b", "&sort=up.c"]) ?? ""
        let query =
            (filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        let path =
            "records/\(model)?limit=\(histories.random.number(in: 1...6))"
            + "&count=\(histories.random.flip())\(sort)"
            + (filter.isEmpty ? "" : "&filter=\(query)")
        let reader = reader
        _ = try await same("find") { try await reader.ask($0, "GET", path) }
    }

    private mutating func read() async throws {
        guard let item = histories.random.one(of: histories.items) else { return }
        let path = "records/\(item.model)/\(histories.anyGuid(of: item))"
        let limit = histories.random.number(in: 1...20)
        let reader = reader
        _ = try await same("record") { try await reader.ask($0, "GET", path) }
        _ = try await same("history") {
            try await reader.ask($0, "GET", "\(path)/history?limit=\(limit)")
        }
    }

    private mutating func conflicts() async throws {
        steps += 1
        let reader = reader
        _ = try await same("conflicts") { try await reader.ask($0, "GET", "conflicts?limit=100") }
        guard histories.random.flip() else { return }
        let item = histories.random.one(of: histories.items)
        let request = ResolutionRequest(
            id: "rule-\(steps)", model: item?.model, guids: [histories.anyGuid(of: item)],
            choose: histories.random.flip() ? .mine : .theirs)
        _ = try await same("resolution") { try await reader.ask($0, "POST", "conflicts", request) }
    }

    private mutating func file() async throws {
        guard let guid = histories.random.one(of: files) else { return }
        let method = histories.random.flip() ? "GET" : "HEAD"
        let reader = reader
        _ = try await same("file") { try await reader.ask($0, method, "files/\(guid)") }
        _ = try await same("upload state") {
            try await reader.ask($0, "GET", "files/\(guid)/upload")
        }
    }
}
