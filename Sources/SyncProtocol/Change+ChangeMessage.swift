package import ChangeRules

extension Change {
    /// Reads the values by the definition's types. An unreadable value is kept as `unreadable`, so
    /// that validation reports it together with all other causes.
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
