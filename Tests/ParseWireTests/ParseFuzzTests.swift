import ChangeRules
import DefinitionModel
import JSON
import Testing

@testable import ParseWire

/// The wire reads every request of a client, or refuses it in the shape of Parse.
@Suite("Random requests are read or refused")
struct ParseFuzzTests {
    @Test(arguments: UInt64(0)..<40) func requests(seed: UInt64) throws {
        var random = RandomJSON(state: seed)
        for _ in 0..<200 {
            let json = random.value(depth: 0)
            let filter = ParseFilter(
                model: ModelRules(.note), records: .test, valuesPerList: 3)
            check { () throws(ParseFailure) in _ = try filter.filter(json) }
            for field in Model.note.fields {
                check { () throws(ParseFailure) in
                    _ = try GivenValue(parse: json, for: field, in: .test)
                }
            }
            let body = Array(json.text.utf8.dropLast(Int(random.next() % 3)))
            check { () throws(ParseFailure) in
                let call = try ParseCall(
                    ReceivedCall(
                        method: "POST", path: "/classes/Note", query: "", header: { _ in nil },
                        body: body))
                _ = try ParseParameters(call.parameters.merging(call.body) { $1 })
            }
            guard case .object(let members) = json else { continue }
            for verb in [ParseVerb.post, .put] {
                let operation = ParseOperation(
                    verb: verb, className: "Note", objectID: nil, body: members)
                check { () throws(ParseFailure) in
                    _ = try operation.fields(of: ModelRules(.note), in: .test)
                }
            }
        }
    }

    private func check(_ body: () throws(ParseFailure) -> Void) {
        do throws(ParseFailure) {
            try body()
        } catch {
            #expect(error.status >= 400 && error.status < 500 && error.code != nil)
            #expect(!error.message.isEmpty)
        }
    }
}

/// JSON of the words that requests have.
private struct RandomJSON {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }

    private static let words = [
        "text", "count", "price", "done", "when", "parent", "picture", "objectId", "createdAt",
        "updatedAt", "$or", "$and", "$nor", "$eq", "$ne", "$lt", "$gte", "$in", "$nin", "$exists",
        "$regex", "$options", "__op", "amount", "__type", "className", "iso", "name", "where",
        "limit", "skip", "keys", "order", "_method", "ACL", "", "meta", "meta.a", "meta.a.0",
        "place", "key", "$all", "$containedBy", "$near", "$maxDistance", "$within", "$box",
        "$geoWithin", "$polygon", "$centerSphere", "objects", "latitude", "longitude", "base64",
        "excludeKeys", "include", "meta" + String(repeating: ".a", count: 20_000),
    ]

    private static let leaves: [JSONValue] = [
        .null, .boolean(true), 0, -1, .integer(.max), .decimal("1.5"), .decimal("-0.5"),
        .decimal("1e"), .unrepresentable, "", "a", "Increment", "Delete", "Pointer", "Date",
        "Note", "known", "Add", "AddUnique", "Remove", "GeoPoint", "Bytes", "a.b", .decimal("52.5"),
        "^\\Qa\\E", "1970-01-01T00:00:00.000Z", "GET", "a,-b", "\u{0}é",
    ]

    mutating func value(depth: Int) -> JSONValue {
        switch depth < 5 ? next() % 4 : 0 {
        case 0: return one(of: Self.leaves)
        case 1: return .array((0..<next() % 3).map { _ in value(depth: depth + 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<next() % 4 { members[one(of: Self.words)] = value(depth: depth + 1) }
            return .object(members)
        }
    }
}
