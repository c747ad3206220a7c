import Foundation
import JSON
import SyncProtocol
import Testing

/// A value that violates one rule of a definition.
private struct Breach {
    let model: Rights.Model
    let field: Rights.Field
    let value: JSONValue
    let code: String
    var argument: String?
    /// The option that the refusal locates; nil if it locates the field.
    var option: Rights.Option?
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct LimitTests {
    @Test func everyLimitOfDefinitionIsEnforcedAndPointedAt() async throws {
        var seeded = try await SeededFieldService()
        var codes: [String: Int] = [:]
        for breach in seeded.breaches() {
            let outcome = try await seeded.push(breach)
            let name = "\(breach.model.name).\(breach.field.name), \(breach.option?.name ?? "")"
            #expect(outcome.outcome == .refused, "\(name)")
            let cause = try #require(outcome.causes?.first, "\(name)")
            #expect(outcome.causes?.map(\.code) == [breach.code], "\(name)")
            #expect(cause.field == breach.field.name, "\(name)")
            #expect(cause.argument == breach.argument, "\(name)")
            #expect(cause.line == breach.option?.line ?? breach.field.line, "\(name)")
            let there = try seeded.server.site.definitionText(at: cause)
            let element =
                breach.option.map { #"<option name="\#($0.name)">"# }
                ?? #"<field name="\#(breach.field.name)" "#
            #expect(there.hasPrefix(element), "\(name): \(there)")
            codes[breach.code, default: 0] += 1
        }
        #expect(
            codes.keys.sorted() == [
                "empty", "greaterThan", "greaterThanOrEqualTo", "lessThan", "lessThanOrEqualTo",
                "notFound", "tooLong", "tooManyFractionDigits", "wrongType",
            ])
    }

    @Test func severalLimitsAreReportedAtOnceInOrderOfDefinition() async throws {
        let seeded = try await RunningServer(definition: "FieldService")
        let dora = try seeded.client("dora", on: "office")
        let outcome = try await dora.push(
            .create(
                fresh(), of: "part",
                [
                    "inStock": -1, "costPrice": "100000.00001", "name": .null,
                    "number": .string(String(repeating: "n", count: 41)),
                ]))
        let causes = try #require(outcome.causes)
        #expect(
            causes.map { "\($0.field ?? "") \($0.code)" } == [
                "number tooLong", "name empty", "unitPrice empty",
                "costPrice tooManyFractionDigits", "costPrice lessThanOrEqualTo",
                "inStock greaterThanOrEqualTo",
            ])
        #expect(try await dora.records() == [])
    }
}

extension SeededFieldService {
    /// One for each limit, each required field, and the type of each field.
    fileprivate func breaches() -> [Breach] {
        rights.models.flatMap { model in
            model.fields.flatMap { field -> [Breach] in
                let wrong = Breach(
                    model: model, field: field, value: .array([]), code: "wrongType",
                    argument: field.type)
                let empty = Breach(model: model, field: field, value: .null, code: "empty")
                return [wrong] + (field.isRequired ? [empty] : [])
                    + field.options.flatMap { breaches(of: $0, in: field, of: model) }
            }
        }
    }

    private func breaches(
        of option: Rights.Option, in field: Rights.Field, of model: Rights.Model
    ) -> [Breach] {
        func breach(_ value: JSONValue, _ code: String, _ argument: String) -> Breach {
            Breach(
                model: model, field: field, value: value, code: code, argument: argument,
                option: option)
        }
        let limit = option.value
        switch (field.type, option.name) {
        case ("TEXT", "maxLength"):
            let text = String(repeating: "x", count: (Int(limit) ?? 0) + 1)
            return [breach(.string(text), "tooLong", limit)]
        case ("INTEGER", "minValue"):
            return [breach(.integer((Int64(limit) ?? 0) - 1), "greaterThanOrEqualTo", limit)]
        case ("INTEGER", "maxValue"):
            return [breach(.integer((Int64(limit) ?? 0) + 1), "lessThanOrEqualTo", limit)]
        case ("DECIMAL", "scale"):
            return [breach(.string(field.justBeyond("1")), "tooManyFractionDigits", limit)]
        case ("DECIMAL", "minValue") where field.option("includeMinValue") == "false":
            return [breach(.string(limit), "greaterThan", limit)]
        case ("DECIMAL", "minValue"):
            let below = "-" + field.next(to: limit.replacing("-", with: ""))
            return [breach(.string(below), "greaterThanOrEqualTo", limit)]
        case ("DECIMAL", "maxValue") where field.option("includeMaxValue") == "false":
            return [breach(.string(limit), "lessThan", limit)]
        case ("DECIMAL", "maxValue"):
            return [breach(.string(field.next(to: limit)), "lessThanOrEqualTo", limit)]
        case ("BELONGS_TO", "model"):
            let others = records.filter { $0.model.name != limit }.prefix(1).map(\.guid)
            return ([fresh()] + others).map { breach(.string($0), "notFound", $0) }
        default: return []
        }
    }

    /// Sends the value in an update, or else a creation, by a user who may set the field.
    fileprivate mutating func push(_ breach: Breach) async throws -> OutcomeMessage {
        for record in records where record.model.name == breach.model.name {
            for seat in Seat.fieldService {
                let isAllowed = rights.allow(
                    .update, seat, on: breach.field, of: breach.model, owner: record.owner.login,
                    group: record.owner.group)
                guard isAllowed else { continue }
                let client = try client(seat)
                return try await client.push(
                    .update(
                        record.guid, of: breach.model.name, from: record.revision,
                        [breach.field.name: breach.value]), seen: client.everythingSeen())
            }
        }
        for seat in Seat.fieldService {
            let isAllowed = rights.allow(
                .create, seat, on: breach.field, of: breach.model, owner: seat.login,
                group: seat.group)
            guard isAllowed, var fields = try creation(of: breach.model, as: seat) else { continue }
            fields[breach.field.name] = breach.value
            return try await client(seat).push(.create(fresh(), of: breach.model.name, fields))
        }
        throw Unexpected("nobody may set \(breach.model.name).\(breach.field.name)")
    }
}

extension Rights.Field {
    private var scale: Int { option("scale").flatMap(Int.init) ?? 3 }

    /// The next larger number with the field's scale.
    fileprivate func next(to whole: String) -> String {
        "\(whole)." + String(repeating: "0", count: scale - 1) + "1"
    }

    /// A number with one fraction digit more than the scale.
    fileprivate func justBeyond(_ whole: String) -> String {
        "\(whole)." + String(repeating: "0", count: scale) + "1"
    }
}
