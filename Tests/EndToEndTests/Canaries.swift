import Foundation
import JSON
import SyncProtocol
import Testing

/// A record created for a test, with its stored values.
struct SeededRecord: Sendable {
    let guid: String
    let model: Rights.Model
    let owner: Seat
    /// The stored value of every field, null included.
    var fields: [String: JSONValue]
    var revision: Int64 = 1
}

/// Generates unique values, so that a value found anywhere identifies its field.
struct Canaries: Sendable {
    private var count: Int

    /// Two generators share no value if their starts are further apart than the number of values
    /// that either generates. Values beyond 2000 may exceed a limit.
    init(startingAt count: Int = 1000) {
        self.count = count
    }

    /// A value within the field's limits. A relation refers to a record of `records`; nil if there
    /// is none.
    mutating func value(
        of field: Rights.Field, referringTo records: [SeededRecord]
    ) throws -> JSONValue? {
        count += 1
        switch field.type {
        case "TEXT":
            let length = field.option("maxLength").flatMap(Int.init) ?? 255
            return .string(String("canary\(count)".prefix(length)))
        case "INTEGER":
            let range = (Int(field.option("minValue") ?? ""), Int(field.option("maxValue") ?? ""))
            guard let least = range.0, let most = range.1 else { return .integer(Int64(count)) }
            return .integer(Int64(least + count % (most - least + 1)))
        case "DECIMAL": return .string(decimal(of: field))
        case "BOOLEAN": return .boolean(count.isMultiple(of: 2))
        case "DATE": return .integer(1_700_000_000_000 + Int64(count) * 7_654_321)
        case "FILE":
            return .object(["guid": .string(fresh()), "filename": .string("canary\(count).png")])
        case "BELONGS_TO":
            return records.last { $0.model.name == field.option("model") }
                .map { .string($0.guid) }
        default: throw Unexpected("the type \(field.type) is new")
        }
    }

    /// With as many digits as the limits allow.
    private func decimal(of field: Rights.Field) -> String {
        let scale = field.option("scale").flatMap(Int.init) ?? 3
        let most = field.option("maxValue").flatMap(Int.init) ?? .max
        let whole = most < 1000 ? 10 + count % 10 : most == 1000 ? 100 + count % 900 : count
        let fraction = String(String(count).reversed().prefix(scale - 1)) + "\(1 + count % 9)"
        return "\(whole).\(fraction)"
    }
}

extension JSONValue {
    /// The text to search for; nil if the value is too short to be unmistakable.
    var canary: String? {
        switch self {
        case .string(let text) where text.hasPrefix("canary"): text
        case .string(let text) where text.wholeMatch(of: /\d{3,}\.\d+/) != nil: "\"\(text)\""
        case .object(let members): members["filename"]?.canary
        case .integer(let number) where number > 1_700_000_000_000: String(number)
        case .null, .boolean, .integer, .decimal, .string, .array, .unrepresentable: nil
        }
    }
}

/// The example with many roles, with records by every user who may create them, and all fields
/// filled.
struct SeededFieldService: Sendable {
    let server: RunningServer
    let rights: Rights
    private(set) var records: [SeededRecord] = []
    private var canaries = Canaries()

    init(arguments: String...) async throws {
        let site = try await Site(prepared: "FieldService")
        server = try await RunningServer(site: site, arguments: arguments)
        rights = try Rights(definition("FieldService"))
        for model in rights.models {
            for seat in Seat.fieldService { try await create(model, as: seat) }
        }
        try await fillTheRest()
    }

    func client(_ seat: Seat) throws -> Client {
        try server.client(seat.login, on: seat.deviceCategory)
    }

    /// Values for the fields that the user may set in a creation; nil if the user may not create
    /// records, or may not set a required field.
    mutating func creation(
        of model: Rights.Model, as seat: Seat
    ) throws -> [String: JSONValue]? {
        guard rights.allow(.create, seat, on: model, owner: seat.login, group: seat.group) else {
            return nil
        }
        var fields: [String: JSONValue] = [:]
        // A relation to a record that the user may not see would be refused.
        let visible = records.filter {
            rights.allow(
                .read, seat, on: $0.model, owner: $0.owner.login, group: $0.owner.group)
        }
        for field in model.fields {
            let isAllowed = rights.allow(
                .create, seat, on: field, of: model, owner: seat.login, group: seat.group)
            if isAllowed, let value = try canaries.value(of: field, referringTo: visible) {
                fields[field.name] = value
            } else if field.isRequired && field.defaultText == nil {
                return nil
            }
        }
        return fields
    }

    private mutating func create(_ model: Rights.Model, as seat: Seat) async throws {
        guard let fields = try creation(of: model, as: seat) else { return }
        var record = SeededRecord(guid: fresh(), model: model, owner: seat, fields: fields)
        try await client(seat).putContents(of: fields)
        let outcome = try await client(seat).push(.create(record.guid, of: model.name, fields))
        try #require(outcome.outcome == .accepted, "\(seat) creates \(model.name): \(outcome)")
        for field in model.fields where record.fields[field.name] == nil {
            record.fields[field.name] = try field.defaultValue
        }
        records.append(record)
    }

    /// The desk fills the fields that the creator may not set.
    private mutating func fillTheRest() async throws {
        let desk = try #require(Seat.fieldService.first { $0.role == "dispatchers-office" })
        let seen = try await client(desk).everythingSeen()
        for index in records.indices {
            let record = records[index]
            var fields: [String: JSONValue] = [:]
            for field in record.model.fields {
                let isAllowed = rights.allow(
                    .update, desk, on: field, of: record.model, owner: record.owner.login,
                    group: record.owner.group)
                if isAllowed { fields[field.name] = try next(field) }
            }
            guard !fields.isEmpty else { continue }
            try await client(desk).putContents(of: fields)
            let outcome = try await client(desk).push(
                .update(record.guid, of: record.model.name, from: 1, fields), seen: seen)
            try #require(outcome.outcome == .accepted, "\(outcome)")
            records[index].fields.merge(fields) { $1 }
            records[index].revision = 2
        }
    }

    private mutating func next(_ field: Rights.Field) throws -> JSONValue? {
        try canaries.value(of: field, referringTo: records)
    }
}

extension Client {
    /// Uploads the contents of the files that the fields name: a text with the file's name.
    func putContents(of fields: [String: JSONValue]) async throws {
        for case .object(let file) in fields.values {
            guard case .string(let guid)? = file["guid"], case .string(let name)? = file["filename"]
            else { continue }
            let answer = try await put(guid, Data("a picture of \(name)".utf8))
            try #require(answer.status == 201, "\(answer.text)")
        }
    }
}

extension Rights.Field {
    fileprivate var defaultValue: JSONValue {
        get throws {
            guard let defaultText else { return .null }
            switch type {
            case "TEXT", "DECIMAL": return .string(defaultText)
            case "INTEGER", "DATE": return .integer(Int64(defaultText) ?? 0)
            case "BOOLEAN": return .boolean(defaultText == "true")
            default: throw Unexpected("the type \(type) has a default")
            }
        }
    }
}
