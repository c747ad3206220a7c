import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import Testing

@testable import ParseWire

@Suite("A where is a filter of the engine")
struct ParseFilterTests {
    private static let deleted = QueryFilter.compare(
        .eq, operand: "done", with: .value(.boolean(true)))

    private func filter(_ json: String, listsOf size: Int = 3) throws -> QueryFilter {
        let parsed = try parseJSON(Array(json.utf8))
        return try ParseFilter(
            model: ModelRules(.note), records: .test, valuesPerList: size
        ).filter(parsed)
    }

    private static func compare(
        _ word: QueryFilter.Comparison, _ operand: String, _ value: JSONValue
    ) -> QueryFilter {
        .compare(word, operand: operand, with: .value(value))
    }

    private static let cases: [(String, QueryFilter)] = [
        ("{}", .and([])),
        (#"{"text":"a"}"#, .and([compare(.eq, "text", "a")])),
        (#"{"text":{"$eq":"a"}}"#, .and([.and([compare(.eq, "text", "a")])])),
        (#"{"text":{"$ne":"a"}}"#, .and([.and([.not(compare(.eq, "text", "a"))])])),
        (#"{"text":null}"#, .and([.null(operand: "text")])),
        (#"{"text":{"$exists":true}}"#, .and([.and([.not(.null(operand: "text"))])])),
        (
            #"{"count":{"$gte":1,"$lt":5}}"#,
            .and([.and([compare(.ge, "count", 1), compare(.lt, "count", 5)])])
        ),
        (#"{"count":{"$lt":1.5}}"#, .and([.and([compare(.le, "count", 1)])])),
        (#"{"count":{"$gt":-1.5}}"#, .and([.and([compare(.ge, "count", -1)])])),
        (
            #"{"text":{"$in":["a","b",null]}}"#,
            .and([.and([.or([.among(operand: "text", ["a", "b"]), .null(operand: "text")])])])
        ),
        (
            #"{"text":{"$in":["a","b","c","d"]}}"#,
            .and([
                .and([
                    .or([
                        .among(operand: "text", ["a", "b", "c"]), .among(operand: "text", ["d"]),
                    ])
                ])
            ])
        ),
        (#"{"text":{"$nin":["a"]}}"#, .and([.and([.not(.among(operand: "text", ["a"]))])])),
        (
            #"{"$or":[{"text":"a"},{"done":true}]}"#,
            .and([.or([.and([compare(.eq, "text", "a")]), .and([deleted])])])
        ),
        (#"{"$nor":[{"done":true}]}"#, .and([.not(.or([.and([deleted])]))])),
        (#"{"text":{"$regex":"^\\Qa\\E"}}"#, .and([.and([.prefix(operand: "text", "a")])])),
        (#"{"text":{"$regex":"a$"}}"#, .and([.and([.like(operand: "text", pattern: "%a")])])),
        (
            #"{"when":{"$gt":{"__type":"Date","iso":"1970-01-01T00:00:00.005Z"}}}"#,
            .and([.and([compare(.gt, "when", 5)])])
        ),
        (
            #"{"updatedAt":{"$gte":"1970-01-01T00:00:00.999Z"}}"#,
            .and([.and([compare(.ge, "$changedAt", 999)])])
        ),
        (#"{"objectId":"known"}"#, .and([compare(.eq, "$guid", .string(knownGuid))])),
        (
            #"{"parent":{"__type":"Pointer","className":"Note","objectId":"known"}}"#,
            .and([compare(.eq, "parent", .string(knownGuid))])
        ),
    ]

    private static let letters = ComputedValue.call(.lowercase, [.operand("text")])

    private static func part(_ function: ComputedFunction) -> QueryFilter {
        let small = ComputedValue.call(.lowercase, [.constant(.text("aB"))])
        return .computes(.eq, .call(function, [letters, small]), .constant(.boolean(true)))
    }

    private static let patterns: [(String, QueryFilter)] = [
        ("aB", part(.contains)), ("^aB", part(.startsWith)), ("aB$", part(.endsWith)),
        ("\\\\QaB\\\\E", part(.contains)),
        (
            "^aB$", .computes(.eq, letters, .call(.lowercase, [.constant(.text("aB"))]))
        ),
    ]

    @Test(arguments: patterns.indices) func patternOfAnyCase(index: Int) throws {
        let (pattern, expected) = Self.patterns[index]
        let json = "{\"text\":{\"$regex\":\"\(pattern)\",\"$options\":\"i\"}}"
        #expect(try filter(json) == .and([.and([.and([]), expected])]), "\(json)")
    }

    private static func inside(
        _ path: [String], _ test: JSONCondition.Test
    ) -> QueryFilter {
        .inside(operand: "meta", JSONCondition(path: path, test))
    }

    private static let inner: [(String, QueryFilter)] = [
        (#"{"meta":"a"}"#, inside([], .equals("a"))),
        (#"{"meta":["a"]}"#, inside([], .equals(.array(["a"])))),
        (#"{"meta":{"a":1}}"#, inside([], .equals(.object(["a": 1])))),
        (#"{"meta.a.b":5}"#, inside(["a", "b"], .equals(5))),
        (#"{"meta":null}"#, .not(inside([], .exists))),
        (#"{"meta.a":{"$gt":5}}"#, .and([inside(["a"], .compares(.gt, 5))])),
        (#"{"meta.a":{"$lte":"x"}}"#, .and([inside(["a"], .compares(.le, "x"))])),
        (#"{"meta":{"$ne":"a"}}"#, .and([.not(inside([], .equals("a")))])),
        (#"{"meta":{"$in":["a","b"]}}"#, .and([inside([], .isAmong(["a", "b"]))])),
        (
            #"{"meta.a":{"$nin":["a",null]}}"#,
            .and([.not(.or([inside(["a"], .isAmong(["a"])), .not(inside(["a"], .exists))]))])
        ),
        (#"{"meta":{"$all":["a","b"]}}"#, .and([.and([inside([], .hasAll(["a", "b"]))])])),
        (
            #"{"meta":{"$in":[1,2,3,4]}}"#,
            .and([.or([inside([], .isAmong([1, 2, 3])), inside([], .isAmong([4]))])])
        ),
        (
            #"{"meta":{"$all":[1,2,3,4]}}"#,
            .and([.and([inside([], .hasAll([1, 2, 3])), inside([], .hasAll([4]))])])
        ),
        (
            #"{"meta.a":{"$regex":"^a"}}"#,
            .and([inside(["a"], .hasPart(TextPart("a", isAtStart: true)))])
        ),
        (
            #"{"meta":{"$regex":"a$","$options":"i"}}"#,
            .and([
                .and([]),
                inside([], .hasPart(TextPart("a", isAtEnd: true, ignoresCase: true))),
            ])
        ),
        (
            #"{"meta":{"$all":[{"$regex":"^\\Qa\\E"},{"$regex":"b"}]}}"#,
            .and([
                .and([
                    inside([], .hasAll([])),
                    inside([], .hasPart(TextPart("a", isAtStart: true))),
                    inside([], .hasPart(TextPart("b"))),
                ])
            ])
        ),
        (#"{"meta":{"$containedBy":[1]}}"#, .and([inside([], .hasOnly([1]))])),
        (#"{"meta.a":{"$exists":false}}"#, .and([.not(inside(["a"], .exists))])),
        (
            #"{"key":{"__type":"Bytes","base64":"AAAA"}}"#, compare(.eq, "key", "AAAA")
        ),
    ]

    private static let point = #"{"__type":"GeoPoint","latitude":1,"longitude":2}"#
    private static let near = QueryFilter.not(.null(operand: "place"))

    private static func distance(upTo meters: Int64) -> QueryFilter {
        compare(.le, "$distance:place:1:2", .integer(meters))
    }

    private static let places: [(String, QueryFilter)] = [
        (#"{"$nearSphere":\#(point)}"#, .and([near])),
        (#"{"$near":\#(point),"$maxDistance":1}"#, .and([distance(upTo: 6_371_000), near])),
        (
            #"{"$nearSphere":\#(point),"$maxDistanceInKilometers":1.5}"#,
            .and([distance(upTo: 1500), near])
        ),
        (
            #"{"$nearSphere":\#(point),"$maxDistanceInMiles":1}"#,
            .and([distance(upTo: 1610), near])
        ),
        (#"{"$geoWithin":{"$centerSphere":[[2,1],0.001]}}"#, .and([distance(upTo: 6371)])),
    ]

    @Test(arguments: places.indices) func conditionOnPlace(index: Int) throws {
        let (json, expected) = Self.places[index]
        #expect(try filter(#"{"place":\#(json)}"#) == .and([expected]), "\(json)")
    }

    @Test func conditionOnArea() throws {
        let corners = try ["1,2", "3,2", "3,4"].map { try #require(GeoPosition($0)) }
        let points = corners.map(\.json.text)
        let box = #"{"place":{"$within":{"$box":[\#(points[0]),\#(points[2])]}}}"#
        let polygon = #"{"place":{"$geoWithin":{"$polygon":[\#(points.joined(separator: ","))]}}}"#
        for (json, area) in [
            (box, GeoArea.box(southWest: corners[0], northEast: corners[2])),
            (polygon, .polygon(corners)),
        ] {
            #expect(try filter(json) == .and([.and([.within(operand: "place", area)])]))
        }
    }

    @Test(arguments: inner.indices) func conditionOnJSON(index: Int) throws {
        let (json, expected) = Self.inner[index]
        #expect(try filter(json) == .and([expected]), "\(json)")
    }

    @Test(arguments: cases.indices) func condition(index: Int) throws {
        let (json, expected) = Self.cases[index]
        #expect(try filter(json) == expected, "\(json)")
    }

    private static let wrapped: [(String, QueryFilter)] = [
        (#"{"$or":[{"$and":[{"$or":[{"text":{"$ne":"a"}}]}]}]}"#, .not(letterA)),
        (
            #"{"$and":[{"$and":[{"text":"a"},{"done":true}]},{"text":"a"}]}"#,
            .and([letterA, deleted, letterA])
        ),
        (#"{"$nor":[{"$or":[{"text":"a"},{"done":true}]}]}"#, .not(.or([letterA, deleted]))),
        ("{}", .and([])), (#"{"text":{"$in":[]}}"#, .or([])),
    ]

    /// The engine takes conditions of a limited depth.
    @Test(arguments: wrapped.indices) func wrappersAreTakenOff(index: Int) throws {
        let (json, expected) = Self.wrapped[index]
        #expect(try filter(json).flattened == expected, "\(json)")
    }

    private static let letterA = compare(.eq, "text", "a")

    /// A field that there is not is missing everywhere; another type equals nothing.
    @Test(arguments: [
        #"{"other":1}"#, #"{"other":{"$gt":1}}"#, #"{"other":{"$exists":true}}"#,
        #"{"text":1}"#, #"{"count":"1"}"#, #"{"text":{"$gt":1}}"#, #"{"objectId":{"$in":[]}}"#,
        #"{"parent":{"__type":"Pointer","className":"Other","objectId":"known"}}"#,
    ])
    func matchesNothing(json: String) throws { #expect(try filter(json).isConstant == false) }

    @Test(arguments: [
        #"{"other":null}"#, #"{"other":{"$ne":1}}"#, #"{"other":{"$nin":[1]}}"#,
        #"{"other":{"$exists":false}}"#, #"{"text":{"$ne":1}}"#,
    ])
    func matchesAll(json: String) throws { #expect(try filter(json).isConstant == true) }

    @Test(arguments: [
        #"{"text":{"$text":{}}}"#, #"{"text":{"$near":1}}"#, #"{"$where":1}"#, #"{"$or":{}}"#,
        #"{"text":{"$regex":"a.b"}}"#, #"{"text":{"$regex":"a","$options":"x"}}"#,
        #"{"text":{"$regex":"a","$options":1}}"#,
        #"{"when":{"$gt":{"__type":"Date","iso":"today"}}}"#,
        #"{"when":{"__type":"Date","iso":1}}"#, #"{"when":{"$in":[{"__type":"Date"}]}}"#,
        #"{"text":{"$exists":1}}"#, #"{"done":{"$gt":true}}"#, #"{"$relatedTo":{}}"#,
        #"{"place":{"$near":1}}"#, #"{"place":{"$maxDistance":1}}"#,
        #"{"place":{"$within":{"$box":[]}}}"#, #"{"place":{"$geoWithin":{"$polygon":[1,2,3]}}}"#,
        #"{"place":{"$gt":1}}"#, #"{"meta":{"$regex":"a*"}}"#, #"{"meta.a":{"$all":1}}"#,
        #"{"text":{"$all":["a"]}}"#, #"{"meta.a":{"$all":[{"$regex":"a*"}]}}"#,
        #"{"meta.a":{"$all":[{"$regex":"a"},"b"]}}"#, #"{"meta":{"$options":"i"}}"#,
        #"{"meta":{"$regex":"a","$options":"m"}}"#,
        #"{"meta":{"$in":[{"$gt":1}]}}"#, #"{"text":{"$in":[{"$regex":"a"}]}}"#,
        #"{"text":{"$nin":[{"$regex":"a"}]}}"#,
        #"{"when":{"$lt":{"$relativeTime":"1 day ago"}}}"#, #"{"count":{"$eq":{"$gt":5}}}"#,
        #"{"count":{"$ne":{"$foo":1}}}"#, #"{"meta.a":{"$gt":{"$foo":1}}}"#,
        #"{"when":{"$gt":"today"}}"#, #"{"createdAt":{"$lte":"2020-01-01 00:00:00"}}"#,
    ])
    func isRefused(json: String) { #expect(throws: ParseFailure.self) { try filter(json) } }
}

extension QueryFilter {
    /// Nil if it depends on the record.
    fileprivate var isConstant: Bool? {
        switch self {
        case .and(let parts):
            if parts.contains(where: { $0.isConstant == false }) { return false }
            return parts.allSatisfy { $0.isConstant == true } ? true : nil
        case .or(let parts):
            if parts.contains(where: { $0.isConstant == true }) { return true }
            return parts.allSatisfy { $0.isConstant == false } ? false : nil
        case .not(let part): return part.isConstant.map { !$0 }
        case .compare, .among, .between, .like, .prefix, .null, .inside, .within, .computes:
            return nil
        }
    }
}
