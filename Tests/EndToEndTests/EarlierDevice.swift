import Foundation
import JSON
import SyncProtocol
import Testing
import Waggle

/// A model of the fixtures' definition.
protocol EarlierModel: Sendable {
    static var name: String { get }
}

enum Customer: EarlierModel { static let name = "customer" }
enum Workplace: EarlierModel { static let name = "site" }
enum Visit: EarlierModel { static let name = "visit" }
enum Price: EarlierModel { static let name = "price" }
enum Stamp: EarlierModel { static let name = "stamp" }
enum Memo: EarlierModel { static let name = "memo" }
enum Flyer: EarlierModel { static let name = "flyer" }

/// A record of such a model, with its fields by name.
struct EarlierRecord<Model: EarlierModel>: Record {
    var values: RecordValues

    static var modelName: String { Model.name }
    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }

    init(_ values: RecordValues) { self.values = values }

    /// A new record.
    init(_ number: Int, _ fields: [String: StoredField]) {
        values = RecordValues(model: Model.name, guid: earlier(number))
        for (name, value) in fields { values[name] = value }
    }

    var guid: String { values.guid }
    var owner: String { values.owner }
    var group: String { values.group }
    var isConflicted: Bool { values.isConflicted }
}

/// The client library with the definition of the fixtures.
struct EarlierDevice {
    let database: Waggle.Database

    init(_ folder: String, definition: String, server: String) throws {
        database = try Waggle.Database(
            try AppDefinition(json: definition),
            Settings(
                mode: .test, server: try #require(URL(string: server)), deviceCategory: "mobile",
                folder: URL(filePath: folder)))
    }

    @discardableResult
    func logIn(_ login: String) async throws -> Waggle.User {
        try await database.logIn(login, password: PreparedDatabase.password(of: login))
    }

    func record<Model: EarlierModel>(
        _ model: Model.Type, _ number: Int
    ) async throws -> EarlierRecord<Model> {
        try #require(try await database.get(EarlierRecord<Model>.self, guid: earlier(number)))
    }

    /// Sets a field of an existing record.
    func edit<Model: EarlierModel>(
        _ model: Model.Type, _ number: Int, _ field: String, to value: some Storable
    ) async throws {
        var record = try await record(model, number)
        record.values.set(field, to: value)
        try await database.save(record)
    }

    func remove<Model: EarlierModel>(_ model: Model.Type, _ number: Int) async throws {
        try await database.remove(try await record(model, number))
    }

    func create<Model: EarlierModel>(
        _ model: Model.Type, _ number: Int, _ fields: [String: StoredField]
    ) async throws {
        try await database.save(EarlierRecord<Model>(number, fields))
    }
}

// MARK: - Everything that an app can see

extension EarlierDevice {
    /// Records, conflicts and refused changes.
    func contents() async throws -> JSONValue {
        let models: [String: JSONValue] = [
            "customer": try await contents(of: Customer.self),
            "site": try await contents(of: Workplace.self),
            "visit": try await contents(of: Visit.self),
            "price": try await contents(of: Price.self),
            "stamp": try await contents(of: Stamp.self),
            "memo": try await contents(of: Memo.self),
            "flyer": try await contents(of: Flyer.self),
        ]
        let refused = try await database.refusedChanges().map(json)
        return .object(["models": .object(models), "refused": .array(refused)])
    }

    private func contents<Model: EarlierModel>(of model: Model.Type) async throws -> JSONValue {
        let type = EarlierRecord<Model>.self
        let conflicts = try await database.conflicts(of: type).map { try json($0) }
        let records = try await database.list(type).map { try json($0.values) }
        return .object(["records": .array(records), "conflicts": .array(conflicts)])
    }

    private func json<Model>(_ conflict: OpenConflict<EarlierRecord<Model>>) throws -> JSONValue {
        let sides = try conflict.sides.map { side in
            let at: JSONValue = side.at.map { .integer($0.milliseconds) } ?? .null
            let members: [String: JSONValue] = [
                "mine": try json(side.mine?.values), "base": try json(side.base?.values),
                "theirs": try json(side.theirs?.values), "login": text(side.login),
                "category": text(side.deviceCategory), "at": at,
                "parallel": .boolean(side.isParallel),
            ]
            return JSONValue.object(members)
        }
        return .object([
            "guid": .string(conflict.guid), "record": try json(conflict.record?.values),
            "sides": .array(sides),
        ])
    }

    private func json(_ change: RefusedChange) throws -> JSONValue {
        .object([
            "id": .string(change.id), "action": .string(change.action.rawValue),
            "model": .string(change.model), "guid": .string(change.guid),
            "values": try json(change.values),
            "refusals": .array(
                change.refusals.map { refusal in
                    .object([
                        "code": .string(refusal.code), "message": .string(refusal.message),
                        "field": text(refusal.field), "argument": text(refusal.argument),
                    ])
                }),
        ])
    }

    private func json(_ values: RecordValues?) throws -> JSONValue {
        guard let values else { return .null }
        return try parseJSON(Array(try JSONEncoder().encode(values)))
    }

    private func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
