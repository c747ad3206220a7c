import Administration
import FileExchange
import HTTPTypes
import Hummingbird
import JSON
import Notifications
import SyncEngine
import SyncServer

/// Files and notifications of an environment.
extension AdminExchange {
    func listFiles() async throws -> Response {
        try await list(.files, after: { try $0.guid().map { .text($0) } }, fileEntry)
    }

    /// Returns the contents, or with `preview=true` an image with its media type, if the first
    /// bytes are those of a raster image.
    func showFile() async throws -> Response {
        let guid = try context.pathPart("guid")
        let isPreview = try request.queryValue("preview") == "true"
        let file = try await serving { environment in
            try await environment.files.open(
                guid, for: try await operatorCaller(in: environment))
        }
        var type: String?
        if isPreview {
            type = rasterImageType(try await file.read(16, at: 0))
            guard type != nil else { throw HTTPFailure.previewMissing() }
        }
        try context.streamAnswer()
        var response = try Response(of: file, asked: request, context)
        if let type {
            response.headers[.contentType] = type
            response.headers[.contentDisposition] = "inline"
        }
        return response
    }

    func listNotifications() async throws -> Response {
        try await list(
            .notifications, after: { try $0.number().map { .integer($0) } }, notificationEntry)
    }

    func sendNotification() async throws -> Response {
        let draft = NotificationDraft(
            id: body.optionalText("id"), deviceCategory: body.optionalText("deviceCategory"),
            group: body.optionalText("group"), users: body.texts("users"),
            body: body.part("notification").members)
        // Without the contents, which an erasure of the users would leave in the log.
        let told = body.members.filter { $0.key != "notification" }
        try await log(target: draft.id ?? "", after: .object(told))
        let environment = try await host.environment(
            named: try context.pathPart("environment"))
        return try await host.answer(request, context, in: environment) { exchange in
            let sent = try await exchange.send(
                draft, by: try await operatorCaller(in: exchange.environment))
            let unreachable = sent.unreachableTold?.mapValues { JSONValue.integer(Int64($0)) }
            return .json(
                .object([
                    "id": .string(sent.id), "repeated": .boolean(sent.isRepeat),
                    "unreachable": unreachable.map { .object($0) } ?? .null,
                ]), status: .created)
        }
    }

    /// Answers with a page of a table in the order of its key, which is one column.
    private func list(
        _ table: EnvironmentTable, after key: (AdminPage) throws -> Cell?,
        _ entry: ([String: Cell]) -> (json: JSONValue, place: String)
    ) async throws -> Response {
        let (state, page) = (try await environment().state, try AdminPage(request))
        let range = KeyRange(after: try key(page).map { [$0] })
        let rows = try await storing { () async throws(StoreError) in
            try await desk.store.withSnapshot(failingAs: \.self) {
                snapshot throws(StoreError) in
                try await snapshot.rows(of: table, in: state.id, range, limit: page.limit)
            }
        }
        let names = table.columns.map(\.name)
        return page.answer(
            rows.map { row in
                entry(Dictionary(zip(names, row), uniquingKeysWith: { first, _ in first }))
            })
    }
}

private func fileEntry(_ row: [String: Cell]) -> (json: JSONValue, place: String) {
    let guid = row["guid"]?.text ?? ""
    return (
        .object([
            "guid": .string(guid), "login": .string(row["login"]?.text ?? ""),
            "at": .integer(row["at"]?.integer ?? 0),
            "named": .boolean(row["is_named"] == .flag(true)),
            "size": row["size"]?.integer.map { .integer($0) } ?? .null,
            "sha256": JSONValue(text: row["sha256"]?.text),
            "complete": .boolean(row["is_complete"] == .flag(true)),
        ]), guid
    )
}

private func notificationEntry(_ row: [String: Cell]) -> (json: JSONValue, place: String) {
    let number = row["number"]?.integer ?? 0
    var users = JSONValue.null
    if case .list(let logins)? = row["logins"] {
        users = .array(logins.map { .string(String(decoding: $0, as: UTF8.self)) })
    }
    let body = (try? parseJSON(Array((row["body"]?.text ?? "{}").utf8))) ?? .object([:])
    return (
        .object([
            "number": .integer(number), "id": .string(row["name"]?.text ?? ""),
            "sender": .string(row["sender"]?.text ?? ""),
            "at": .integer(row["at"]?.integer ?? 0),
            "deviceCategory": JSONValue(text: row["device_category"]?.text),
            "group": JSONValue(text: row["group_name"]?.text), "users": users,
            "notification": body,
        ]), "\(number)"
    )
}
