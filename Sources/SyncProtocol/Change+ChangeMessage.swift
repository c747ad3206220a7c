package import ChangeRules

extension Change {
    /// Reads a message by the definition's types. A value that cannot be read is kept as
    /// unreadable, for the validation to refuse together with all else that is wrong.
    package init(_ message: ChangeMessage, by book: RuleBook) {
        self.init(
            id: message.id, action: ChangeAction(message.action), model: message.model,
            guid: message.guid, baseRevision: message.base,
            fields: book.values(message.fields, of: message.model),
            isRefusedIfStale: message.ifStale == .refuse)
    }
}

extension ChangeAction {
    package init(_ action: ChangeMessage.Action) {
        switch action {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        case .resolve: self = .resolve
        }
    }
}
