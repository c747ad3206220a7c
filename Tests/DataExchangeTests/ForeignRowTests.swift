import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@testable import DataExchange

@Suite("Rows of other services become records") struct ForeignRowTests {
    private static let naming = RecordNaming(key: Array("key".utf8))
    private static let document: String = {
        func field(
            _ name: String, _ type: String, _ own: String = "", _ options: String = ""
        ) -> String {
            Documents.field(name, type, read: "ALL", own: own, options: options)
        }
        let game = #"<option name="model">game</option>"#
        let rights = Documents.credentials(resolving: true)
        return Documents.document(
            .manual,
            models: """
                <model name="game" w:alias="Game">
                <fields>\(field("name", "TEXT"))</fields>\(rights)</model>
                <model name="score" w:alias="Score"><fields>
                \(field("player", "TEXT")) \(field("points", "INTEGER"))
                \(field("price", "DECIMAL")) \(field("done", "BOOLEAN", #"w:alias="isDone""#))
                \(field("at", "DATE")) \(field("game", "BELONGS_TO", "", game))
                \(field("photo", "FILE")) \(field("meta", "TEXT", #"w:format="json""#))
                \(field("place", "TEXT", #"w:format="geo""#))
                \(field("seal", "TEXT", #"w:format="base64""#))
                </fields>\(rights)</model>
                <model name="_User"><fields>\(field("city", "TEXT"))</fields>\(rights)</model>
                """)
    }()

    private func bench() async throws -> TestBench {
        try await TestBench.withUsers(Self.document, naming: Self.naming)
    }

    private func score(_ id: String, in bench: TestBench) async throws -> [String: JSONValue] {
        let guid = try #require(Self.naming.guid(of: id, in: "score"))
        return try #require(try await bench.person("a").record(guid)?.fields)
    }

    private static let game = naming.guid(of: "g1", in: "game").map { JSONValue.string($0) }

    private static let parseRows = """
        {"objectId":"s1","createdAt":"2026-11-21T05:58:23.176Z","updatedAt":"x","ACL":{},
        "player":"Anna","points":3,"price":1.5,"isDone":true,"unknown":null,
        "at":{"__type":"Date","iso":"1970-01-01T00:00:01.500Z"},
        "game":{"__type":"Pointer","className":"Game","objectId":"g1"},
        "place":{"__type":"GeoPoint","latitude":52.5,"longitude":13.4},"meta":{"a":[1]},
        "seal":{"__type":"Bytes","base64":"AAEC"},
        "photo":{"__type":"File","name":"0a_x.png","url":"http://x"},
        "friends":{"__type":"Relation","className":"Score"},"className":"Score"}
        """
    private static let parseGame = #"{"className":"Game","objectId":"g1","name":"Go"}"#

    /// As lines, as one answer, and as answers that follow each other. The game comes last.
    @Test(arguments: [
        parseRows.replacing("\n", with: "") + "\n" + parseGame,
        "\u{FEFF} {\"results\" : [\(parseRows), \n\(parseGame)], \"count\":2}\n",
        "{\"results\":[\(parseRows)]}\n{\"results\":[\(parseGame)]}", "[\(parseRows),\(parseGame)]",
    ])
    func objectsOfParseAreRead(text: String) async throws {
        let bench = try await bench()
        for isTrial in [true, false] {
            let (summary, problems) = try await bench.imported(text, .jsonl) {
                $0.source = .parse
                $0.isTrial = isTrial
            }
            #expect(problems.isEmpty && summary.created == 2)
            #expect(summary.leftOut == [.accessLists: 1, .files: 1, .relations: 1])
        }
        let fields = try await score("s1", in: bench)
        #expect(fields["player"] == "Anna" && fields["points"] == 3 && fields["price"] == "1.5")
        #expect(fields["done"] == .boolean(true) && fields["at"] == 1500)
        #expect(fields["game"] == Self.game && fields["place"] == "52.5,13.4")
        #expect(fields["meta"] == #"{"a":[1]}"# && fields["seal"] == "AAEC")
        #expect(fields["photo"] == .null)
    }

    /// Its contents stay on the old server, which the operator is told.
    @Test func fileInArrayIsCounted() async throws {
        let bench = try await bench()
        let tags = #"[{"__type":"File","name":"0a_x.png","url":"http://old/x.png"}]"#
        let (summary, problems) = try await bench.imported(
            #"{"objectId":"s1","meta":\#(tags)}"#, .jsonl
        ) {
            $0.source = .parse
            $0.model = "Score"
        }
        #expect(problems.isEmpty && summary.created == 1 && summary.leftOut == [.files: 1])
        let kept = try #require(try await score("s1", in: bench)["meta"])
        #expect(kept == .string(try parseJSON(Array(tags.utf8)).text))
    }

    private static let azureFields =
        ["player": "Anna", "points": 3, "price": "1.5", "at": 1500]
        as [String: JSONValue]

    @Test(arguments: [
        """
        id,__createdAt,__updatedAt,__version,__deleted,Player,POINTS,price,isdone,at,game,meta
        s1,2026-11-21T06:00:10.469Z,x,AAAA,false,Anna,3,1.5,true,1970-01-01T00:00:01.500Z,g1,
        s2,,,,true,,,,,,,
        """,
        """
        id,createdAt,updatedAt,version,deleted,player,points,price,isDone,at,game,meta
        s1,x,x,0x07D1,0,Anna,3.0,1.50,1,1970-01-01 01:00:01.5000000 +01:00,g1,
        s2,x,x,0x07D2,1,NULL,NULL,NULL,NULL,NULL,NULL,
        """,
    ])
    func tablesOfAzureAreRead(text: String) async throws {
        let bench = try await bench()
        let games = try await bench.imported("Id,name\ng1,Go\n") {
            $0.source = .azure
            $0.model = "GAME"
        }
        #expect(games.summary.created == 1 && games.problems.isEmpty)
        let (summary, problems) = try await bench.imported(text) {
            $0.source = .azure
            $0.model = "score"
        }
        #expect(problems.isEmpty && summary.counts == [1, 0, 1, 0, 0])
        let fields = try await score("s1", in: bench)
        #expect(fields.filter { Self.azureFields[$0.key] != nil } == Self.azureFields)
        #expect(fields["done"] == .boolean(true) && fields["game"] == Self.game)
    }

    /// Clients that were away hear of the deletion, and the id stays taken.
    @Test func deletedRowOfAzureBecomesDeletedRecord() async throws {
        let bench = try await bench()
        let rows = "id,deleted,player\ns1,1,Anna\n"
        func imported(
            _ text: String, isTrial: Bool = false
        ) async throws -> (counts: [Int], problems: [String]) {
            let (summary, problems) = try await bench.imported(text) {
                $0.source = .azure
                $0.model = "score"
                $0.isTrial = isTrial
            }
            return (summary.counts, problems)
        }
        for isTrial in [true, false] {
            let (counts, problems) = try await imported(rows, isTrial: isTrial)
            #expect(counts == [0, 0, 1, 0, 0] && problems.isEmpty, "\(problems)")
        }
        #expect(try await imported(rows).counts == [0, 0, 0, 1, 0])
        var options = ExportOptions(format: .jsonl, models: ["score"])
        options.includesDeleted = true
        let known = try await bench.exported(options)
        #expect(known.contains(#""$deleted":true"#), "\(known)")
        #expect(try await imported("id,player\ns1,Bea\n").problems == ["2:0 - guidTaken"])
    }

    /// The answers of all three generations, with an id that is a number.
    @Test(arguments: [
        #"[{"id":7,"player":"Anna","points":3,"price":1.5,"at":"1970-01-01T00:00:01.500Z"}]"#,
        #"{"items":[{"id":"7","updatedAt":"","player":"Anna","points":3,"price":1.5,"#
            + #""at":"1970-01-01T00:00:01.500Z"}],"nextLink":"$filter=\"[\""}"#,
        #"{"results":[{"id":"7","Player":"Anna","points":3,"price":1.5,"gone":null,"#
            + #""at":"1970-01-01T00:00:01.500Z","game":null}],"count":1}"#,
    ])
    func listsOfAzureAreRead(text: String) async throws {
        let bench = try await bench()
        let (summary, problems) = try await bench.imported(text, .jsonl) {
            $0.source = .azure
            $0.model = "Score"
        }
        #expect(problems.isEmpty && summary.created == 1)
        let fields = try await score("7", in: bench)
        #expect(fields.filter { Self.azureFields[$0.key] != nil } == Self.azureFields)
    }

    @Test(arguments: [
        (#"{"objectId":"a","points":"3"}"#, "1:0 points wrongType"),
        (#"{"objectId":"a","at":{"__type":"Date","iso":"yesterday"}}"#, "1:0 at wrongType"),
        (
            #"{"game":{"__type":"Pointer","className":"Score","objectId":"g1"}}"#,
            "1:0 game wrongType"
        ),
        (
            #"{"game":{"__type":"Pointer","className":"Game","objectId":"g1"}}"#,
            "1:0 game notFound"
        ),
        (#"{"objectId":"a","isdone":true}"#, "1:0 isdone unknownField"),
        (#"{"objectId":"","player":"Anna"}"#, "1:0 $id illegalID"),
        (#"{"className":"_User","objectId":"u1","username":"anna"}"#, "1:0 - userRow"),
        ("[\n {\"player\":\"A\"},\n {\"player\":}, {\"player\":\"B\"}]", "3:0 - notJSON"),
        ("[{\"player\":\"A\"},\n7]", "2:0 - notJSON"), ("[{\"player\":\"A\"},\n", "2:0 - notJSON"),
        ("[{\"player\":\"A\"},\n{\"player\":", "2:0 - notJSON"),
    ])
    func badObjectIsReported(text: String, problem: String) async throws {
        let bench = try await bench()
        for isTrial in [true, false] {
            let (_, problems) = try await bench.imported(text, .jsonl) {
                $0.source = .parse
                $0.model = text.contains("_User") ? nil : "Score"
                $0.isTrial = isTrial
            }
            #expect(problems == [problem])
        }
    }

    /// In the words of the service.
    @Test(arguments: [
        (#""meta":5"#, "'meta' takes an Object or an Array, nested at most"),
        (#""game":5"#, "'game' takes a Pointer to an object of the model 'game'"),
        (#""place":"1,2""#, "'place' takes a GeoPoint"), (#""seal":1"#, "'seal' takes Bytes"),
        (#""at":5"#, "'at' takes a Date"), (#""player":5"#, "'player' takes a String"),
    ])
    func wrongValueOfParseIsExplained(member: String, message: String) async throws {
        let bench = try await bench()
        var options = ImportOptions(format: .jsonl)
        (options.source, options.model, options.owner) = (.parse, "Score", "a")
        var messages: [String] = []
        var run = try ImportRun(options, into: bench.engine, at: Instant(milliseconds: 1)) {
            messages.append($0.message)
        }
        _ = try await run.read(Array("{\(member)}\n".utf8))
        try await run.finish()
        #expect(messages.count == 1 && messages[0].hasPrefix(message), "\(messages)")
    }

    @Test(arguments: [
        ("id,ID\n", "1:2 ID repeatedColumn"), ("id,colour\n", "1:2 colour unknownField"),
        ("id,isDone\na,maybe\n", "2:2 done wrongType"), ("id,AT\na,1\n", "2:2 at wrongType"),
        ("id,Game\na,none\n", "2:2 game notFound"),
    ])
    func badRowOfTableIsReported(text: String, problem: String) async throws {
        let (_, problems) = try await bench().imported(text) {
            $0.source = .azure
            $0.model = "score"
        }
        #expect(problems == [problem])
    }

    /// A list of two rows of which the second is too long, in chunks of every size.
    @Test(arguments: 1...12) func elementsOfListsAreSplit(chunkBytes: Int) {
        let text = #"{"items":[ {"a":"],\"}"},[{}],"# + "\n" + #"{"a":"0123456789012"},1]}[2]"#
        var limits = RowLimits()
        limits.rowBytes = 16
        var reader = JSONRowReader(limits: limits, takesLists: true)
        var items: [JSONLineItem] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            items += reader.read(Array(rest.prefix(chunkBytes)))
            rest = rest.dropFirst(chunkBytes)
        }
        items += reader.finish()
        func line(_ number: Int, _ text: String) -> JSONLineItem {
            .line(number, Array(text.utf8))
        }
        #expect(
            items == [
                line(1, #"{"a":"],\"}"}"#), line(1, "[{}]"), .problem(.tooLong(2, limits)),
                line(2, "1"), line(2, "2"),
            ])
    }

    @Test(arguments: UInt64(0)..<40) func randomBytesAreSurvived(seed: UInt64) async throws {
        let bench = try await bench()
        var random = SplitMix64(seed: seed)
        let pieces =
            [
                "[", "]", "{", "}", ",", ":", "\"", "\\", "\n", " ", "\"results\"", "\"id\"",
                "\"__type\"", "\"Pointer\"", "7", "null", "{\"results\":[", "\"game\"",
            ].map { Array($0.utf8) } + [[0xFF], [0], [0xEF, 0xBB, 0xBF]]
        var bytes: [UInt8] = []
        for _ in 0..<300 { bytes += random.one(of: pieces) ?? [] }
        for source in RowSource.allCases {
            _ = try await bench.imported(bytes, .jsonl, chunkBytes: 1 + Int(seed % 9)) {
                $0.model = source == .waggle ? "score" : "Score"
                $0.source = source
            }
        }
    }
}
