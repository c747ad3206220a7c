import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// Every hidden field contains a canary, and every endpoint gets generated requests from every
/// role. No canary appears in an answer, its headers, or the log.
@Suite(.serialized, .timeLimit(.minutes(20))) struct LeakTests {
    @Test(arguments: [1, 2] as [UInt64])
    func noEndpointRevealsHiddenData(seed: UInt64) async throws {
        let seeded = try await SeededFieldService(arguments: "--log-level", "trace")
        let disputed = try await seeded.disputeEverything()
        var statuses: [String: Set<Int>] = [:]
        for (number, seat) in Seat.fieldService.enumerated() {
            var requests = RandomRequests(seed: seed * 100 + UInt64(number), of: seeded)
            let hidden = seeded.canaries(hiddenFrom: seat, disputed: disputed)
            let client = try seeded.client(seat)
            for _ in 0..<80 {
                let request = requests.next()
                let headers = ["Authorization": "Bearer \(client.token)"]
                let answer = try await seeded.server.request(
                    request.method, request.path, body: request.body,
                    headers: headers.merging(request.headers) { own, _ in own })
                requests.learn(from: answer)
                statuses["\(request.method) \(request.endpoint)", default: []]
                    .insert(answer.status)
                #expect(answer.status != 500, "\(request.path): \(answer.text)")
                let told = answer.text + answer.headers.map { "\n\($0.key): \($0.value)" }.joined()
                for canary in hidden where told.contains(canary) {
                    Issue.record("\(seat) reads \(canary) in \(request.path): \(told)")
                }
            }
        }
        for endpoint in RandomRequests.mustSucceed {
            #expect(statuses[endpoint]?.contains(200) == true, "\(endpoint) never answered")
        }
        let log = try seeded.server.log()
        #expect(log.contains("/v1/test/conflicts") && !log.contains("canary"))
        for token in seeded.server.site.sessions.values { #expect(!log.contains(token)) }
    }
}

/// Random requests, mostly valid, about existing records.
private struct RandomRequests {
    struct Request {
        let method: String
        /// The path without variable parts.
        let endpoint: String
        let path: String
        var body: Data?
        var headers: [String: String] = [:]
    }

    static let mustSucceed = [
        "POST sync", "GET history", "GET conflicts", "GET records",
        "GET record", "POST conflicts", "GET file", "HEAD file",
    ]

    private var random: SplitMix64
    private let records: [SeededRecord]
    private var cursors: [String] = []
    private var count = 0

    init(seed: UInt64, of seeded: SeededFieldService) {
        random = SplitMix64(seed: seed)
        records = seeded.records
    }

    /// Remembers cursors, to send them again to any endpoint.
    mutating func learn(from answer: Answer) {
        let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        if let cursor = object?["cursor"] as? String { cursors.append(cursor) }
    }

    mutating func next() -> Request {
        count += 1
        switch random.number(in: 0..<18) {
        case 12..<15: return find()
        case 15..<18: return file()
        case 0..<4: return sync()
        case 4..<6: return history()
        case 6..<8: return conflicts()
        case 8..<10: return resolution()
        case 10: return administration()
        default: return nonsense()
        }
    }

    private mutating func record() -> SeededRecord? { random.one(of: records) }
    private mutating func cursor() -> String? {
        random.flip() ? nil : random.one(of: cursors + ["x"])
    }

    private func request(
        _ method: String, _ endpoint: String, _ path: String, _ message: (any Encodable)? = nil
    ) -> Request {
        let body = message.flatMap { try? JSONEncoder().encode($0) }
        return Request(method: method, endpoint: endpoint, path: "/v1/test/" + path, body: body)
    }

    private mutating func sync() -> Request {
        let changes = (0..<random.number(in: 0...5)).compactMap { _ in change() }
        return request(
            "POST", "sync", "sync",
            SyncRequest(
                cursor: random.number(in: 0..<4) == 0 ? cursor() : nil,
                limit: random.number(in: 1...200), changes: changes))
    }

    private mutating func change() -> ChangeMessage? {
        guard let record = record() else { return nil }
        let field = random.one(of: record.model.fields)
        let values: [JSONValue] = [
            .null, .integer(1), .string("x"), .boolean(true), .string(record.guid),
            field.flatMap { record.fields[$0.name] } ?? .null,
        ]
        var fields: [String: JSONValue] = [:]
        if let field { fields[field.name] = random.one(of: values) }
        let action = random.one(of: ChangeMessage.Action.allCases) ?? .update
        return ChangeMessage(
            id: "r\(count)-\(random.number(in: 0..<1000))", action: action,
            model: record.model.name,
            guid: random.number(in: 0..<5) == 0 ? fresh() : record.guid,
            base: Int64(random.number(in: 0...4)), fields: action == .delete ? [:] : fields)
    }

    private mutating func history() -> Request {
        guard let record = record() else { return nonsense() }
        let model = random.number(in: 0..<6) == 0 ? "part" : record.model.name
        var path = "records/\(model)/\(record.guid)/history?limit=\(random.number(in: 0...5))"
        if let cursor = cursor() { path += "&cursor=\(cursor)" }
        return request("GET", "history", path)
    }

    private mutating func find() -> Request {
        guard let record = record() else { return nonsense() }
        let path = "records/\(record.model.name)"
        guard random.number(in: 0..<3) > 0 else {
            return request("GET", "record", path + "/\(record.guid)")
        }
        var query = "?limit=\(random.number(in: 1...5))&count=\(random.flip())"
        if let name = random.one(of: record.model.fields)?.name {
            let value = record.fields[name].flatMap { try? JSONEncoder().encode($0) } ?? Data()
            let word = random.one(of: ["eq", "ne", "ge", "like", "prefix", "nothing"]) ?? "eq"
            let json = #"{"\#(word)": ["\#(name)", \#(String(decoding: value, as: UTF8.self))]}"#
            let text = json.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            if random.flip() { query += "&filter=\(text ?? "")" }
            if random.flip() { query += "&sort=-\(name)" }
        }
        if let cursor = cursor() { query += "&cursor=\(cursor)" }
        return request("GET", "records", path + query)
    }

    private mutating func file() -> Request {
        let files = records.flatMap(\.fields.values).compactMap(\.fileGuid)
        let path = "files/\(random.one(of: files + [fresh()]) ?? "")"
        switch random.number(in: 0..<8) {
        case 0: return request("GET", "upload", path + "/upload")
        case 1:
            let bytes = Data("x".utf8)
            return Request(
                method: "PUT", endpoint: "file", path: "/v1/test/" + path, body: bytes,
                headers: ["Repr-Digest": digest(of: bytes)])
        case 2: return request("HEAD", "file", path)
        default:
            var asked = request("GET", "file", path)
            if random.number(in: 0..<4) == 0 { asked.headers["Range"] = "bytes=3-" }
            return asked
        }
    }

    private mutating func conflicts() -> Request {
        var path = "conflicts?limit=\(random.number(in: 1...100))"
        if random.flip(), let record = record() { path += "&model=\(record.model.name)" }
        if let cursor = cursor() { path += "&cursor=\(cursor)" }
        return request("GET", "conflicts", path)
    }

    private mutating func resolution() -> Request {
        let record = record()
        let names = (record?.model.fields ?? []).map(\.name)
        let fields = random.some(of: names).map { ($0, ResolutionRequest.Side.mine) }
        return request(
            "POST", "conflicts", "conflicts",
            ResolutionRequest(
                id: "r\(count)", model: record?.model.name,
                guids: record.map { random.flip() ? [$0.guid] : [] },
                choose: random.flip() ? .mine : .theirs,
                fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
                cursor: random.number(in: 0..<4) == 0 ? cursor() : nil))
    }

    private mutating func administration() -> Request {
        guard let record = record() else { return nonsense() }
        switch random.number(in: 0..<4) {
        case 0: return request("GET", "users", "users")
        case 1:
            return request(
                "PATCH", "ownership", "records/\(record.model.name)/\(record.guid)/ownership",
                OwnershipRequest(owner: "tina"))
        case 2:
            return request(
                "PATCH", "user", "users/tina", UserChangeRequest(group: "dispatchers"))
        default:
            return request(
                "POST", "users", "users",
                NewUserRequest(login: "x", password: "x", group: "dispatchers"))
        }
    }

    private mutating func nonsense() -> Request {
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        let paths = [
            "sync", "conflicts", "users", "users/tina", "session/x", "records", "records/part",
            "records/part/\(record()?.guid ?? "")", "files/\(record()?.guid ?? "")",
        ]
        let texts = ["", "{", "[]", "{}", #"{"changes": 1}"#, #"{"id": 1}"#]
        let body = random.one(of: texts).map { Data($0.utf8) }
        let method = random.one(of: methods) ?? "GET"
        return Request(
            method: method, endpoint: "nonsense",
            path: "/v1/test/" + (random.one(of: paths) ?? ""),
            body: method == "GET" ? nil : body)
    }
}

extension JSONValue {
    /// The guid of the file that the value names.
    fileprivate var fileGuid: String? {
        guard case .object(let members) = self, case .string(let guid)? = members["guid"] else {
            return nil
        }
        return guid
    }
}
