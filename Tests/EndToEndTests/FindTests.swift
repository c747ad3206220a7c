import Foundation
import JSON
import SyncProtocol
import Testing

/// Queries over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FindTests {
    private static let model = "PermissionsEntity"

    /// Three films of `a` and one of `b`. Only a film's owner may see its director.
    private func films(arguments: String...) async throws -> RunningServer {
        let site = try await Site(prepared: "Permissions")
        let server = try await RunningServer(site: site, arguments: arguments)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let films = [("Solaris", "Tarkovsky"), ("Mirror", "Tarkovsky"), ("Alien", "Scott")]
        _ = try await a.sync(
            films.map {
                .create(
                    fresh(), of: Self.model,
                    ["title": .string($0.0), "director": .string($0.1)])
            })
        try await b.push(
            .create(fresh(), of: Self.model, ["title": "Heat", "director": "Mann"]))
        return server
    }

    private func titles(_ response: FindResponse) -> [JSONValue?] {
        response.records.map { $0.fields?["title"] }
    }

    @Test func queriesRevealNothingAboutHiddenFields() async throws {
        let server = try await films()
        let (a, b) = (try server.client("a"), try server.client("b"))
        let byTarkovsky = #"{"eq": ["director", "Tarkovsky"]}"#
        let mine = try await a.find(
            Self.model, ["filter": byTarkovsky, "sort": "-title", "count": "true"])
        #expect(titles(mine) == ["Solaris", "Mirror"] && mine.count == 2 && !mine.more)
        let others = try await b.find(Self.model, ["filter": byTarkovsky, "count": "true"])
        #expect(others == FindResponse(records: [], more: false, cursor: nil, count: 0))
        let without = try await b.find(
            Self.model, ["filter": #"{"null": "director"}"#, "sort": "title"])
        #expect(titles(without) == ["Alien", "Mirror", "Solaris"])
        let sorted = try await b.find(Self.model, ["sort": "director,title"])
        #expect(titles(sorted) == ["Heat", "Alien", "Mirror", "Solaris"])
        #expect(!(try server.log()).contains("Tarkovsky"))
    }

    @Test func pagesGoOnWithCursorOfTheLastOne() async throws {
        let server = try await films()
        let (a, b) = (try server.client("a"), try server.client("b"))
        let pulled = try await a.records()
        for sort in ["", "title", "-director,$guid"] {
            var found: [RecordMessage] = []
            var cursor: String?
            repeat {
                let page = try await a.find(
                    Self.model,
                    cursor.map { ["sort": sort, "limit": "1", "cursor": $0] }
                        ?? ["sort": sort, "limit": "1"])
                #expect(page.records.count == 1 && page.more == (page.cursor != nil))
                found += page.records
                cursor = page.cursor
            } while cursor != nil
            #expect(Set(found) == Set(pulled) && found.count == 4, "\(sort)")
        }
        let cursor = try #require(
            try await a.find(Self.model, ["sort": "title", "limit": "1"]).cursor)
        #expect(cursor.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        for (client, cursor, sort, code) in [
            (b, cursor, "title", "cursorOfOtherQuery"), (a, cursor, "", "cursorOfOtherQuery"),
            (a, String(cursor.dropLast()), "title", "cursorUnreadable"),
            (a, try await a.sync().cursor, "title", "cursorUnreadable"),
        ] {
            let answer = try await client.ask(
                forRecords: Self.model, ["sort": sort, "cursor": cursor])
            #expect(answer.status == 400, "\(answer.text)")
            #expect(try answer.error().code == code)
        }
    }

    @Test func recordIsReadableByItsGuidIfVisible() async throws {
        let server = try await films()
        let b = try server.client("b")
        let record = try #require(
            try await b.find(Self.model, ["filter": #"{"eq": ["title", "Alien"]}"#]).records.first)
        #expect(record.fields == ["title": "Alien"])
        let answer = try await b.ask(forRecords: "\(Self.model)/\(record.guid)")
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
        #expect(try answer.message(as: RecordMessage.self) == record)
        let chosen = try await b.ask(
            forRecords: "\(Self.model)/\(record.guid)", ["fields": "director"])
        #expect(try chosen.message(as: RecordMessage.self).fields == [:])
        for path in ["\(Self.model)/\(fresh())", "\(Self.model)/%20", "\(Self.model)/x%2Fy"] {
            let answer = try await b.ask(forRecords: path)
            #expect(answer.status == 404, "\(answer.text)")
            #expect(try answer.error().code == "recordUnknown")
        }
    }

    /// The maximum length of a URL's query in bytes.
    private static let longest = 16 << 10
    private static let many = Array(repeating: "\"a\"", count: 201).joined(separator: ",")

    private static let badQuestions:
        [(path: String, KeyValuePairs<String, String>, Int, code: String, place: String?)] = [
            ("Film", [:], 404, "modelUnknown", nil),
            ("Film/\(fresh())", [:], 404, "modelUnknown", nil),
            (model, ["filter": "{"], 400, "filterIllegal", "filter"),
            (
                model, ["filter": #"{"and": [{"eq": ["titel", "a"]}]}"#], 400,
                "filterIllegal", "filter.and[0].eq[0]"
            ),
            (
                model, ["filter": #"{"in": ["title", [1]]}"#], 400, "filterIllegal",
                "filter.in[1][0]"
            ),
            (
                model,
                ["filter": #"{"in": ["title", [\#(many)]]}"#], 400,
                "filterTooLarge", "filter.in[1]"
            ),
            (model, ["sort": "titel"], 400, "sortIllegal", "sort[0]"),
            (model, ["fields": "titel"], 400, "fieldsIllegal", "fields[0]"),
            (model, ["limit": "ten"], 400, "parameterIllegal", "limit"),
            (model, ["limit": "0"], 400, "limitOutOfRange", nil),
            (model, ["where": "{}"], 400, "parameterUnknown", "where"),
            ("\(model)/\(fresh())", ["sort": "title"], 400, "parameterUnknown", "sort"),
            (model, ["cursor": "c1"], 400, "cursorUnreadable", nil),
            (model, ["cursor": String(repeating: "a", count: longest)], 414, "queryTooLong", nil),
        ]

    @Test func illegalQueryIsRefusedWithItsReason() async throws {
        let server = try await films()
        let a = try server.client("a")
        for (path, parameters, status, code, place) in Self.badQuestions {
            let answer = try await a.ask(forRecords: path, parameters)
            #expect(answer.status == status, "\(parameters) \(answer.text)")
            let error = try answer.error()
            #expect(
                error.code == code
                    && (error.details["path"] ?? error.details["parameter"]) == place,
                "\(answer.text)")
        }
        let nearly = String(repeating: "a", count: Self.longest - "cursor=".count)
        let answer = try await a.ask(forRecords: Self.model, ["cursor": nearly])
        #expect(try answer.error().code == "cursorUnreadable")
    }

    @Test func neighbouringPathsAreUnchanged() async throws {
        let server = try await films()
        let a = try server.client("a")
        let record = try #require(try await a.find(Self.model, ["limit": "1"]).records.first)
        let path = "/v1/test/records/\(Self.model)"
        for place in [path, "\(path)/\(record.guid)"] {
            let answer = try await a.ask("POST", place, body: Data("{}".utf8))
            #expect(answer.status == 405 && answer.header("Allow") == "GET", "\(answer.text)")
        }
        let reassigned = try await a.ask(
            "PATCH", "\(path)/\(record.guid)/ownership", body: Data(#"{"owner": "b"}"#.utf8))
        #expect(try reassigned.error().code == "adminOnly")
        for headers in [[:], ["Authorization": "Bearer nobody"]] {
            for place in [path + "?filter=no", "\(path)/\(record.guid)"] {
                let answer = try await server.request("GET", place, headers: headers)
                #expect(answer.status == 401, "who asks is looked at first: \(answer.text)")
            }
        }
        let elsewhere = try await a.ask("GET", "/v1/other/records/\(Self.model)")
        #expect(try elsewhere.error().code == "environmentUnknown")
    }

    /// Every hidden value is searched for in every kind of query.
    @Test func noHiddenValueOfLargeExampleIsFound() async throws {
        let seeded = try await SeededFieldService()
        for seat in Seat.fieldService {
            let client = try seeded.client(seat)
            let pulled = try await client.records()
            let byGuid = Dictionary(pulled.map { ($0.guid, $0) }) { _, last in last }
            for model in seeded.rights.models {
                let found = try await client.find(model.name, ["limit": "1000", "count": "true"])
                let expected = pulled.filter { $0.model == model.name }
                #expect(Set(found.records) == Set(expected), "\(seat) \(model.name)")
                #expect(found.count == expected.count)
            }
            for record in seeded.records {
                for field in record.model.fields {
                    let isSeen = byGuid[record.guid]?.fields?[field.name] != nil
                    guard !isSeen, let value = record.fields[field.name], value.canary != nil
                    else { continue }
                    try await expectNothing(of: record, by: field.name, value, as: client)
                }
            }
        }
    }

    private func expectNothing(
        of record: SeededRecord, by field: String, _ value: JSONValue, as client: Client
    ) async throws {
        let json = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let isIt = #"{"eq": ["$guid", "\#(record.guid)"]}"#
        for condition in [
            #"{"eq": ["\#(field)", \#(json)]}"#, #"{"in": ["\#(field)", [\#(json)]]}"#,
            #"{"ne": ["\#(field)", \#(json)]}"#, #"{"not": {"null": "\#(field)"}}"#,
            #"{"eq": ["\#(field)", {"field": "\#(field)"}]}"#,
        ] {
            let found = try await client.find(
                record.model.name,
                ["filter": #"{"and": [\#(isIt), \#(condition)]}"#, "count": "true"])
            #expect(found.records.isEmpty && found.count == 0, "\(condition)")
        }
    }
}
