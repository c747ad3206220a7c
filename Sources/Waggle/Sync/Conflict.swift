/// A change of this device that met a newer state on the server, as a conflict handler gets it.
///
/// `Content` is the type of the record, or `RecordValues` for a handler of all models.
public struct Conflict<Content: Sendable>: Sendable {
    /// The model of the record.
    public let model: String
    /// The guid of the record.
    public let guid: String
    /// The record as this device wants it; nil to remove it.
    public let client: Content?
    /// The record as the server has it; nil if it was removed.
    public let server: Content?
    /// The record as it was when the change was made.
    public let base: Content?
}

/// The decision of a conflict handler.
public enum ConflictDecision<Content: Sendable>: Sendable {
    /// The change is sent again, based on the server's current revision. Where the record was
    /// removed there, the model's conflict mode decides.
    case useClient
    /// The change is discarded.
    case useServer
    /// This record replaces both.
    case useMerged(Content)
    /// The change stays as it is, and the next sync calls the handler again.
    case later
    /// The sync stops. Unsent changes stay.
    case cancel
}

/// Settles a conflict of a model.
///
/// It is a value, because no function with a typed error can be an element of a collection before
/// iOS 18.
struct ConflictHandler: Sendable {
    let decide:
        @Sendable (Conflict<RecordValues>) async throws(RecordError)
            -> ConflictDecision<RecordValues>
}

extension Conflict where Content == RecordValues {
    func typed<Model: Record>(_ type: Model.Type) throws(RecordError) -> Conflict<Model> {
        Conflict<Model>(
            model: model, guid: guid, client: try client.typed(type),
            server: try server.typed(type), base: try base.typed(type))
    }
}

extension RecordValues? {
    fileprivate func typed<Model: Record>(_ type: Model.Type) throws(RecordError) -> Model? {
        guard let self else { return nil }
        return try Model(self)
    }
}

extension ConflictDecision where Content: Record {
    var untyped: ConflictDecision<RecordValues> {
        switch self {
        case .useClient: .useClient
        case .useServer: .useServer
        case .useMerged(let record): .useMerged(record.values)
        case .later: .later
        case .cancel: .cancel
        }
    }
}

/// The conflict handlers by model.
struct ConflictHandlers: Sendable {
    var byModel: [String: ConflictHandler] = [:]
    var ofAll: ConflictHandler?

    func handler(of model: String) -> ConflictHandler? { byModel[model] ?? ofAll }
}
