import Foundation
import JSON
import Testing

/// The sync engine of a well-known tutorial for Parse, with its faults; see `TutorialFault`. It
/// keeps rows of each class, and sends those that were made or deleted on the device.
struct TutorialEngine {
    enum Status: Hashable {
        case synced, created, deleted
    }

    struct Row {
        /// The object id; nil until the server has answered.
        var id: String?
        var values: [String: JSONValue]
        var status: Status
    }

    /// A gift belongs to an occasion; the engine knows no order.
    static let classes = ["Gift", "Occasion"]

    let client: ParseClient
    private(set) var rows: [String: [Row]] = [:]
    private var hasSynced = false

    init(_ client: ParseClient) { self.client = client }

    mutating func sync() async throws {
        for name in Self.classes { try await pull(name) }
        for name in Self.classes { try await forgetDeleted(name) }
        for name in Self.classes { try await sendCreated(name) }
        for name in Self.classes { try await sendDeleted(name) }
        hasSynced = true
    }

    // MARK: - Receiving

    /// The first time, everything is new. Later, answers and rows are both sorted by id, and
    /// compared place by place.
    private mutating func pull(_ name: String) async throws {
        let found = try await client.find(name, bound(of: name))
        guard hasSynced else {
            rows[name, default: []] += found.map(Self.row)
            return
        }
        let objects = found.map(Self.row).sorted { $0.id ?? "" < $1.id ?? "" }
        let ids = objects.map(\.id)
        let places = (rows[name] ?? []).indices
            .filter { rows[name]?[$0].id != nil && ids.contains(rows[name]?[$0].id) }
            .sorted { rows[name]?[$0].id ?? "" < rows[name]?[$1].id ?? "" }
        for (number, object) in objects.enumerated() {
            if number < places.count, rows[name]?[places[number]].id == object.id {
                rows[name]?[places[number]] = object
            } else {
                rows[name]?.append(object)
            }
        }
    }

    private static func row(_ object: [String: JSONValue]) -> Row {
        Row(id: object["objectId"]?.string, values: object, status: .synced)
    }

    /// Times are kept without their milliseconds, so the engine asks from the end of the second of
    /// the newest change on.
    private func bound(of name: String) -> [String: JSONValue] {
        let times = (rows[name] ?? []).compactMap { $0.values["updatedAt"]?.string }
        guard let newest = times.max() else { return [:] }
        let bound = JSONValue.object([
            "__type": "Date", "iso": .string(newest.dropLast(4) + "999Z"),
        ])
        return ["where": .object(["updatedAt": .object(["$gte": bound])])]
    }

    /// Takes for deleted what a list of the class does not have, which it asks for without a limit;
    /// but does nothing if the list is empty.
    private mutating func forgetDeleted(_ name: String) async throws {
        let there = try await client.find(name).compactMap { $0["objectId"]?.string }
        guard !there.isEmpty else { return }
        rows[name]?.removeAll { $0.status == .synced && !there.contains($0.id ?? "") }
    }

    // MARK: - Sending

    private mutating func sendCreated(_ name: String) async throws {
        for place in (rows[name] ?? []).indices where rows[name]?[place].status == .created {
            guard let row = rows[name]?[place] else { continue }
            let answer = try await client.ask("POST", "/classes/\(name)", row.values)
            guard answer.status == 201, let members = try answer.json().members else { continue }
            rows[name]?[place].id = members["objectId"]?.string
            rows[name]?[place].values["updatedAt"] = members["createdAt"]
            rows[name]?[place].status = .synced
        }
    }

    /// Takes the answer to a second deletion for a failure, and tries again with the next sync.
    private mutating func sendDeleted(_ name: String) async throws {
        for row in rows[name] ?? [] where row.status == .deleted {
            let id = row.id ?? ""
            let answer = try await client.ask("DELETE", "/classes/\(name)/\(id)")
            if answer.status == 200 { rows[name]?.removeAll { $0.id == id } }
        }
    }

    // MARK: - The user

    mutating func create(_ values: [String: JSONValue], of name: String = "Occasion") {
        rows[name, default: []].append(Row(id: nil, values: values, status: .created))
    }

    /// An edited row does not count as one to send.
    mutating func edit(_ id: String, _ key: String, _ value: JSONValue) {
        for place in (rows["Occasion"] ?? []).indices where rows["Occasion"]?[place].id == id {
            rows["Occasion"]?[place].values[key] = value
        }
    }

    mutating func delete(_ id: String) {
        for place in (rows["Occasion"] ?? []).indices where rows["Occasion"]?[place].id == id {
            rows["Occasion"]?[place].status = .deleted
        }
    }

    /// The device never learned that the server has the row.
    mutating func loseAnswer(to id: String) {
        for place in (rows["Occasion"] ?? []).indices where rows["Occasion"]?[place].id == id {
            rows["Occasion"]?[place].id = nil
            rows["Occasion"]?[place].status = .created
        }
    }

    mutating func receive(_ object: [String: JSONValue]) {
        rows["Occasion", default: []].append(Self.row(object))
    }

    /// As if the newest change was of an earlier second, so that the next pull misses nothing.
    mutating func forgetTimes() {
        for name in Self.classes {
            for place in (rows[name] ?? []).indices { rows[name]?[place].values["updatedAt"] = nil }
        }
    }

    var occasions: [Row] { rows["Occasion"] ?? [] }

    var names: [String] { occasions.compactMap { $0.values["name"]?.string }.sorted() }

    func id(of name: String) throws -> String {
        try #require(occasions.first { $0.values["name"]?.string == name }?.id)
    }

    func picture(of id: String) async throws -> String {
        let row = try #require(occasions.first { $0.id == id })
        let path = try #require(
            row.values["picture"]?.members?["url"]?.string.flatMap {
                URLComponents(string: $0)?.percentEncodedPath
            })
        return try await client.server.request("GET", path).text
    }
}
