import ChangeRules
import DefinitionCompiler
import DefinitionModel
import JSON
import RecordSearch
import TestKit
import Testing

@testable import AzureWire

/// Filters as clients write them, and the conditions of a find that they become.
@Suite struct QuestionTests {
    private static let document = """
        <application xmlns="http://schema.mobeelizer.com/application"
          xmlns:w="urn:waggle:definition" application="films" vendor="waggle">
          <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
          <roles><role group="users" device="mobile"/></roles>
          <models>
            <model name="Film"><fields>
              \(field("name", "TEXT", #"w:alias="Title""#))\(field("year", "INTEGER"))
              \(field("price", "DECIMAL"))\(field("seen", "BOOLEAN"))\(field("shown", "DATE"))
              \(field("sequel", "BELONGS_TO", options: #"<option name="model">Film</option>"#))
              \(field("poster", "FILE"))
            </fields>
            <credentials><credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
              updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/></credentials>
            </model>
          </models>
        </application>
        """

    private static func field(
        _ name: String, _ type: String, _ more: String = "", options: String = ""
    ) -> String {
        """
        <field name="\(name)" type="\(type)" \(more)><credentials><credential role="users-mobile"
          createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"/></credentials>
          <options>\(options)</options></field>
        """
    }

    func translation(_ dialect: ClientGeneration = .apps) throws -> FilterTranslation {
        let source = SourceFile(name: "films.xml", bytes: Array(Self.document.utf8))
        let definition = try #require(compile(source).definition)
        let table = try #require(Table(named: "FILM", in: definition, for: dialect))
        return FilterTranslation(table: table) {
            $0.hasPrefix("hidden") ? nil : "guid of \($0) in \($1)"
        }
    }

    private func filter(_ text: String) throws -> QueryFilter {
        try translation().filter(try QuestionParser.expression(of: text))
    }

    private static func lowercaseTitle(
        _ comparison: QueryFilter.Comparison, _ text: String
    ) -> QueryFilter {
        .computes(comparison, lowercase, .constant(.text(text)))
    }

    private static let lowercase = ComputedValue.call(.lowercase, [.operand("name")])

    private static let filters: [(String, QueryFilter)] = [
        ("title eq 'it''s'", .compare(.eq, operand: "name", with: .value("it's"))),
        ("(year) gt (12L)", .compare(.gt, operand: "year", with: .value(12))),
        ("12 gt year", .compare(.lt, operand: "year", with: .value(12))),
        ("year eq -1", .compare(.eq, operand: "year", with: .value(-1))),
        ("price le 1.5M", .compare(.le, operand: "price", with: .value("1.5"))),
        ("price eq 1e3", .compare(.eq, operand: "price", with: .value(1000))),
        ("seen", .compare(.eq, operand: "seen", with: .value(.boolean(true)))),
        ("not seen", .compare(.eq, operand: "seen", with: .value(.boolean(false)))),
        // As the original servers kept true and false.
        ("seen eq 0", .compare(.eq, operand: "seen", with: .value(.boolean(false)))),
        ("1 eq seen", .compare(.eq, operand: "seen", with: .value(.boolean(true)))),
        ("not (seen eq 0)", .compare(.ne, operand: "seen", with: .value(.boolean(false)))),
        ("seen in (0,1)", .among(operand: "seen", [.boolean(false), .boolean(true)])),
        ("deleted ne 1", .compare(.ne, operand: "$deleted", with: .value(.boolean(true)))),
        ("(year eq 1) eq 0", .compare(.ne, operand: "year", with: .value(1))),
        (
            "0 eq endswith(title,'a')",
            .computes(
                .eq, .call(.endsWith, [lowercase, .constant(.text("a"))]),
                .constant(.boolean(false)))
        ),
        ("title eq null", .null(operand: "name")),
        ("not (title eq null)", .not(.null(operand: "name"))),
        ("title gt null", .or([])),
        ("null eq null", .and([])), ("not (null eq null)", .or([])), ("null eq 1", .or([])),
        ("1 ne null", .and([])), ("null gt 1", .or([])),
        ("not (title gt null)", .or([])),
        (
            "sequel eq 'Film 7'",
            .compare(.eq, operand: "sequel", with: .value("guid of Film 7 in Film"))
        ),
        ("id eq 'Film 7'", .compare(.eq, operand: "$id", with: .value("Film 7"))),
        (
            "__updatedAt ge datetimeoffset'1970-01-01T00:00:01.0020000+00:00'",
            .compare(.ge, operand: "$changedAt", with: .value(1002))
        ),
        (
            "updatedAt gt cast(1970-01-01T00:00:01.002Z,Edm.DateTimeOffset)",
            .compare(.gt, operand: "$changedAt", with: .value(1002))
        ),
        (
            "title eq cast(3bcc4730-9cc1-4a3e-a1b8-0d4b8a3b21fe,Edm.Guid)",
            .compare(
                .eq, operand: "name", with: .value("3bcc4730-9cc1-4a3e-a1b8-0d4b8a3b21fe"))
        ),
        (
            "title eq cast(a1cc4730-9cc1-4a3e-a1b8-0d4b8a3b21fe,Edm.Guid)",
            .compare(
                .eq, operand: "name", with: .value("a1cc4730-9cc1-4a3e-a1b8-0d4b8a3b21fe"))
        ),
        (
            "title gt cast(08:30:00,Edm.TimeOfDay)",
            .compare(.gt, operand: "name", with: .value("08:30:00.000"))
        ),
        (
            "title eq cast(23:59:59.1234567,Edm.TimeOfDay)",
            .compare(.eq, operand: "name", with: .value("23:59:59.123"))
        ),
        (
            "title eq cast(2021-03-24,Edm.Date)",
            .compare(.eq, operand: "name", with: .value("2021-03-24"))
        ),
        (
            "title ge datetime'2026-01-31T10:11:12.345Z'",
            .compare(.ge, operand: "name", with: .value("2026-01-31T10:11:12.345Z"))
        ),
        (
            "shown eq cast(1970-01-02,Edm.Date)",
            .compare(.eq, operand: "shown", with: .value(86_400_000))
        ),
        (
            "shown lt datetime'1970-01-01T01:00:00 01:00'",
            .compare(.lt, operand: "shown", with: .value(0))
        ),
        ("title eq X'0aFF'", .compare(.eq, operand: "name", with: .value("Cv8="))),
        // The asker sees no row with that id.
        ("sequel eq 'hidden'", .or([])), ("sequel ne 'hidden'", .not(.null(operand: "sequel"))),
        ("sequel in ('hidden')", .or([])),
        (
            "not (sequel in ('hidden'))",
            .and([.not(.null(operand: "sequel")), .not(.or([]))])
        ),
        (
            "sequel in ('hidden','a')",
            .among(operand: "sequel", ["guid of a in Film"])
        ),
        // An empty text is no row.
        ("sequel eq ''", .null(operand: "sequel")),
        ("'' ne sequel", .not(.null(operand: "sequel"))),
        ("not (sequel eq '')", .not(.null(operand: "sequel"))),
        (
            "sequel in ('','a')",
            .or([.null(operand: "sequel"), .among(operand: "sequel", ["guid of a in Film"])])
        ),
        ("sequel ne id", .computes(.ne, .operand("sequel"), .operand("$id"))),
        ("year in (1,2)", .among(operand: "year", [1, 2])),
        ("year in (1,null)", .or([.null(operand: "year"), .among(operand: "year", [1])])),
        ("not (year in (null))", .and([.not(.null(operand: "year"))])),
        (
            "not (year in (1,null))",
            .and([.not(.null(operand: "year")), .not(.among(operand: "year", [1]))])
        ),
        (
            "tolower(title) in ('a','b')",
            .or([lowercaseTitle(.eq, "a"), lowercaseTitle(.eq, "b")])
        ),
        (
            "not (tolower(title) in ('a','b'))",
            .and([lowercaseTitle(.ne, "a"), lowercaseTitle(.ne, "b")])
        ),
        ("((year eq 1) or (year eq 2)) or (year eq 3)", .among(operand: "year", [1, 2, 3])),
        ("not (year ne 1 and year ne 2)", .among(operand: "year", [1, 2])),
        (
            "year eq 1 or title eq 'a' or year in (2,3) or year gt 9",
            .or([
                .among(operand: "year", [1, 2, 3]),
                .compare(.eq, operand: "name", with: .value("a")),
                .compare(.gt, operand: "year", with: .value(9)),
            ])
        ),
        (
            "id eq 'a' or sequel eq 'b'",
            .or([
                .compare(.eq, operand: "$id", with: .value("a")),
                .compare(.eq, operand: "sequel", with: .value("guid of b in Film")),
            ])
        ),
        (
            "not (year in (1))",
            .and([.not(.null(operand: "year")), .not(.among(operand: "year", [1]))])
        ),
        (
            "seen and year eq 1 or title eq 'a'",
            .or([
                .and([
                    .compare(.eq, operand: "seen", with: .value(.boolean(true))),
                    .compare(.eq, operand: "year", with: .value(1)),
                ]), .compare(.eq, operand: "name", with: .value("a")),
            ])
        ),
        (
            "not (year eq 1 or year lt 0)",
            .and([
                .compare(.ne, operand: "year", with: .value(1)),
                .compare(.ge, operand: "year", with: .value(0)),
            ])
        ),
        (
            "substringof('a',title)",
            .computes(
                .eq, .call(.contains, [lowercase, .constant(.text("a"))]),
                .constant(.boolean(true)))
        ),
        (
            "startswith(tolower(title),'A')",
            .computes(
                .eq, .call(.startsWith, [lowercase, .constant(.text("a"))]),
                .constant(.boolean(true)))
        ),
        (
            "indexof(title,trim('A')) eq 0",
            .computes(
                .eq,
                .call(
                    .index,
                    [lowercase, .call(.lowercase, [.call(.trim, [.constant(.text("A"))])])]),
                .constant(.integer(0)))
        ),
        ("tolower(title) ne null", .computes(.eq, lowercase, lowercase)),
        ("tolower(title) eq null", .not(.computes(.eq, lowercase, lowercase))),
        ("not (tolower(title) eq null)", .computes(.eq, lowercase, lowercase)),
        ("tolower(title) gt null", .or([])),
        (
            "not startswith(title,'a')",
            .computes(
                .eq, .call(.startsWith, [lowercase, .constant(.text("a"))]),
                .constant(.boolean(false)))
        ),
        (
            "year add 1 mul 2 eq price",
            .computes(
                .eq,
                .call(
                    .add,
                    [
                        .operand("year"),
                        .call(.multiply, [.constant(.integer(1)), .constant(.integer(2))]),
                    ]), .operand("price"))
        ),
        (
            "year eq 1.5",
            .computes(.eq, .operand("year"), .constant(FieldValue(number: "1.5") ?? .integer(0)))
        ),
        (
            "endswith(title,'a') eq false",
            .computes(
                .eq, .call(.endsWith, [lowercase, .constant(.text("a"))]),
                .constant(.boolean(false)))
        ),
    ]

    @Test(arguments: filters) func filter(text: String, wanted: QueryFilter) throws {
        #expect(try filter(text) == wanted)
    }

    @Test(arguments: [
        "", "title eq", "title eq 'a", "eq 1", "(title eq 'a'", "title eq 'a')",
        "what(title)", "startswith(title)", "colour eq 1", "version eq 'x'", "null", "year eq 1x",
        "title eq 08:30", "title eq 25:00:00", "title eq 08:30:00.x",
        "shown eq datetime'today'", "time'x' eq 1", "title eq \"a\"", "year eq 1e999",
        "title in ('a',1)", "tolower(title) in", "startswith(year eq 1,'a')",
        "title eq X'0a1'", "title eq X'0g'", "startswith(sequel,'a')", "sequel gt 'a'",
        "sequel eq tolower(title)", "sequel eq 17",
        "sequel in ('a',17)", "sequel gt ''", "seen eq 2",
        "seen eq 'true'", "seen gt 0", "not (seen ge true)", "year eq '3'", "year in ('3')",
        "year eq true", "price lt 'a'", "shown ge '2026-01-01'", "shown eq 1", "title eq 3",
        "id eq 17", "updatedAt gt 'x'", "year eq title", "title", "length(title)",
        "length(title) eq '3'", "length(year) eq 1", "year add 'a' eq 1", "day(title) eq 1",
        "substring(title,'a') eq 'b'", "seen eq year", String(repeating: "(", count: 10_000),
        String(repeating: "not ", count: 10_000),
        "year eq 1" + String(repeating: " add 1", count: 10_000),
        "year eq 1" + String(repeating: " mul 1", count: 10_000),
    ]) func faultIsTold(text: String) {
        #expect(throws: QuestionFault.self) { try filter(text) }
    }

    /// A filter that finds nothing says nothing to who has written it.
    @Test(arguments: [
        ("seen eq 2", "The column 'seen' takes true or false, and the filter compares it with a"),
        ("'3' lt year", "The column 'year' takes a number, and the filter compares it with a"),
        ("year in ('3')", "The column 'year' takes a number, and the filter compares it with a"),
        ("length(title) eq 'a'", "The filter has a text where it needs a number."),
    ]) func otherTypeIsTold(text: String, message: String) throws {
        let fault = #expect(throws: QuestionFault.self) { try filter(text) }
        #expect(fault?.message.hasPrefix(message) == true)
    }

    /// Each of them is looked up once, before the filter is translated.
    @Test func idsOfOtherRowsAreNoted() throws {
        let table = try translation().table
        for (text, ids) in [
            ("sequel eq 'a' or 'b' ne sequel and not (sequel in ('c','a'))", ["a", "b", "c"]),
            ("(sequel eq 'a') eq true", ["a"]), ("title eq 'a' and sequel eq 'b'", ["b"]),
        ] {
            let expression = try QuestionParser.expression(of: text)
            #expect(expression.relatedIDs(in: table) == ["Film": Set(ids)], "\(text)")
        }
        #expect(try QuestionParser.expression(of: "title eq 'a'").relatedIDs(in: table) == [:])
    }

    /// As clients join conditions: each with all before it, in parentheses.
    @Test func manyJoinedConditionsAreOneList() throws {
        let ids = (0..<200).map { "Film \($0)" }
        let text = ids.dropFirst().reduce("(id eq 'Film 0')") { "(\($0) or (id eq '\($1)'))" }
        #expect(try filter(text) == .among(operand: "$id", ids.map { .string($0) }))
    }

    /// Every text is either a filter or a fault.
    @Test(arguments: UInt64(0)..<50) func anyTextIsAnswered(seed: UInt64) throws {
        let translation = try translation()
        var random = SplitMix64(seed: seed)
        let parts = [
            "(", ")", ",", "'", "''", " ", "-", "and", "or", "not", "eq", "gt", "add", "mul", "in",
            "title", "year", "id", "updatedAt", "null", "true", "1", "1.5", "1e9", "2M", "é", "\0",
            "substring", "cast", "datetime'2026-11-21'", "2026-11-21T", "$", "%",
            "08:30:00", "24:00:00", ":", "3bcc4730-9cc1-4a3e-a1b8-0d4b8a3b21fe",
        ]
        for _ in 0..<200 {
            let text = (0..<random.number(in: 0...20)).map { _ in
                (random.one(of: parts) ?? "") + (random.flip() ? " " : "")
            }.joined()
            do {
                _ = try translation.filter(try QuestionParser.expression(of: text))
            } catch {
                #expect(!error.message.isEmpty, "\(text)")
            }
        }
    }
}
