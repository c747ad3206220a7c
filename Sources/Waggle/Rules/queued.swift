import JSON
import SyncProtocol

/// A permitted edit of a record.
enum LocalEdit: Hashable, Sendable {
    case create([String: JSONValue])
    /// The fields that get another value.
    case update([String: JSONValue])
    /// The fields of a record that was removed on this device, and is saved again, that differ from
    /// those before the removal.
    case replace([String: JSONValue])
    case remove
    case resolve([String: JSONValue])
}

/// The effect of an edit on the queue of changes.
enum QueueStep: Hashable, Sendable {
    /// Another change is added to the end.
    case append(ChangeMessage.Action, [String: JSONValue])
    /// The record's last change becomes another one.
    case become(ChangeMessage.Action, [String: JSONValue])
    /// The record's last change is removed from the queue and never sent.
    case takeBack
    case nothing
    /// The record is deleted, and the server may know already: it cannot come back under its guid.
    case tooLate
}

/// Combines an edit with the last waiting change of its record, as long as that change cannot have
/// reached the server.
func queued(_ edit: LocalEdit, after last: LocalChange?) -> QueueStep {
    guard let last, last.state.isPending else { return step(for: edit) }
    guard last.state != .sent else { return step(for: edit, afterSent: last.action) }
    switch (last.action, edit) {
    case (.create, .update(let fields)), (.create, .resolve(let fields)):
        return .become(.create, last.fields.merging(fields) { _, later in later })
    case (.create, .remove): return .takeBack
    case (.update, .update(let fields)):
        return .become(.update, last.fields.merging(fields) { _, later in later })
    case (.resolve, .update(let fields)), (.resolve, .resolve(let fields)):
        return .become(.resolve, last.fields.merging(fields) { _, later in later })
    case (.update, .remove): return .become(.delete, [:])
    case (.delete, .replace(let fields)):
        return fields.isEmpty ? .takeBack : .become(.update, fields)
    case (.delete, .remove): return .nothing
    case (.update, .resolve(let fields)):
        return .become(.resolve, last.fields.merging(fields) { _, later in later })
    case (.resolve, .remove): return step(for: edit)
    case (.create, .create), (.update, .create), (.resolve, .create), (.delete, .create),
        (.create, .replace), (.update, .replace), (.resolve, .replace), (.delete, .update),
        (.delete, .resolve):
        return .tooLate
    }
}

private func step(for edit: LocalEdit) -> QueueStep {
    switch edit {
    case .create(let fields): .append(.create, fields)
    case .update(let fields): .append(.update, fields)
    case .resolve(let fields): .append(.resolve, fields)
    case .remove: .append(.delete, [:])
    case .replace: .tooLate
    }
}

private func step(for edit: LocalEdit, afterSent action: ChangeMessage.Action) -> QueueStep {
    switch (action, edit) {
    case (.delete, .remove): .nothing
    case (.delete, .create), (.delete, .update), (.delete, .replace), (.delete, .resolve):
        .tooLate
    case (.create, .create), (.update, .create), (.resolve, .create): .tooLate
    case (.create, _), (.update, _), (.resolve, _): step(for: edit)
    }
}
