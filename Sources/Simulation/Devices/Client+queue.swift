import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// The expected queue of a real client, as the documentation of devices specifies it.

// MARK: - Edits

extension Client {
    /// The user's action that corresponds to a draft; nil if there is no record for it.
    func appEdit(for draft: Draft, by rules: Rules) -> AppEdit? {
        guard let model = rules.model(named: draft.model) else { return nil }
        let edit = { (action: AppEdit.Action, fields: [String: JSONValue]) in
            AppEdit(action: action, model: draft.model, guid: draft.guid, fields: fields)
        }
        if draft.action == .create {
            let fields = model.model.fields.map(\.name).map { name in
                (name, draft.fields[name] ?? model.defaults[name].map { JSONValue($0) } ?? .null)
            }
            return edit(.save, Dictionary(uniqueKeysWithValues: fields))
        }
        guard let shown = seen(draft.guid), shown.model == draft.model else { return nil }
        let fields = readable(shown.fields, of: draft.model)
            .merging(draft.fields) { _, given in given }
        return switch draft.action {
        case .create, .update: edit(.save, fields)
        case .delete: edit(.remove, [:])
        case .resolve: edit(.resolve, fields)
        }
    }

    /// Appends an action to the queue. An action on a record with a change that cannot have reached
    /// the server is merged with that change.
    mutating func join(_ edit: AppEdit, _ validity: ValidityContext, by rules: Rules) {
        guard let (action, fields) = change(by: edit, in: validity.role, rules) else { return }
        let change = ChangeMessage(
            id: "", action: action, model: edit.model, guid: edit.guid, fields: fields)
        let last = waiting.lastIndex { $0.message.guid == edit.guid }
        guard let last, waiting[last].stage != .sent else { return follow(last, change, validity) }
        switch (waiting[last].message.action, action) {
        case (.create, .delete): waiting.remove(at: last)
        case (.resolve, .delete): follow(last, change, validity)
        case (.delete, .delete): return
        case (.delete, .update) where fields.isEmpty: waiting.remove(at: last)
        case (.create, _): combine(last, .create, adding: fields, validity)
        case (.resolve, .update), (_, .resolve):
            combine(last, .resolve, adding: fields, validity)
            // Resolving requires having seen the conflict.
            if action == .resolve { waiting[last].seen = held(edit.guid)?.revision }
        case (_, .delete):
            waiting[last].message.fields = [:]
            combine(last, .delete, adding: [:], validity)
        case (_, .create), (_, .update): combine(last, .update, adding: fields, validity)
        }
    }

    private mutating func follow(
        _ last: Int?, _ change: ChangeMessage, _ validity: ValidityContext
    ) {
        let known = change.action == .create ? 0 : held(change.guid)?.revision
        let seen = last.map { waiting[$0].seen } ?? known
        waiting.append(WaitingChange(message: change, seen: seen, validity: validity))
    }

    private mutating func combine(
        _ index: Int, _ action: ChangeMessage.Action, adding fields: [String: JSONValue],
        _ validity: ValidityContext
    ) {
        waiting[index].message.action = action
        waiting[index].message.fields.merge(fields) { _, later in later }
        if waiting[index].validity != validity { waiting[index].validity = nil }
    }

    /// Nil if nothing is changed.
    private func change(
        by edit: AppEdit, in role: Role, _ rules: Rules
    ) -> (ChangeMessage.Action, [String: JSONValue])? {
        switch edit.action {
        case .remove: return (.delete, [:])
        case .resolve: return (.resolve, resolution(by: edit, in: role, rules))
        case .save:
            guard let shown = seen(edit.guid) else { return (.create, creation(by: edit, rules)) }
            guard !shown.isDeleted else {
                return (.update, undoing(edit, of: shown.ownership, in: role, rules))
            }
            let changed = differences(
                of: edit.fields, from: shown.fields, in: edit.model, of: shown.ownership, role,
                rules)
            return changed.isEmpty ? nil : (.update, changed)
        }
    }

    /// All values but nulls that the author did not choose.
    private func creation(by edit: AppEdit, _ rules: Rules) -> [String: JSONValue] {
        let defaults = rules.model(named: edit.model)?.defaults ?? [:]
        return edit.fields.filter { $0.value != .null || defaults[$0.key] != nil }
    }

    /// The fields that differ from the values before the deletion.
    private func undoing(
        _ edit: AppEdit, of ownership: Ownership, in role: Role, _ rules: Rules
    ) -> [String: JSONValue] {
        let last = waiting.lastIndex { $0.message.guid == edit.guid }
        let others = waiting.enumerated().filter { $0.offset != last }.map(\.element)
        return differences(
            of: edit.fields, from: seen(edit.guid, with: others)?.fields ?? [:], in: edit.model,
            of: ownership, role, rules)
    }

    /// The fields that differ from known ones as the app reads those. The app cannot tell whether
    /// a hidden field has a value, so setting it to null counts.
    private func differences(
        of fields: [String: JSONValue], from known: [String: JSONValue], in model: String,
        of ownership: Ownership, _ role: Role, _ rules: Rules
    ) -> [String: JSONValue] {
        let asker = Asker(login: participant.login, group: role.group, role: role)
        let read = readable(known, of: model)
        return fields.filter { name, value in
            value != read[name] ?? .null
                || read[name] == nil
                    && !asker.may(.read, .field(name, of: model), of: ownership, rules)
        }
    }

    /// The fields that differ from those of the server, and all waiting fields. Naming a field
    /// restores a deleted record, so at least one is named.
    private func resolution(
        by edit: AppEdit, in role: Role, _ rules: Rules
    ) -> [String: JSONValue] {
        let named = waiting.filter { $0.message.guid == edit.guid }.flatMap(\.message.fields.keys)
        guard let server = held(edit.guid) else { return edit.fields }
        let ownership = Ownership(owner: server.owner, group: server.group)
        let differing = differences(
            of: edit.fields, from: server.fields ?? [:], in: edit.model, of: ownership, role, rules)
        let fields = edit.fields.filter {
            named.contains($0.key) || differing[$0.key] != nil
        }
        guard fields.isEmpty, server.deleted else { return fields }
        let asker = Asker(login: participant.login, group: role.group, role: role)
        let one = edit.fields.sorted { $0.key < $1.key }.first { name, value in
            let draft = Draft(.update, model: edit.model, guid: edit.guid, fields: [name: value])
            return rules.model(named: edit.model).map {
                isValid(draft, in: $0, creating: false)
            } ?? false && isAllowed(.update, draft, of: ownership, asker, rules)
        }
        return one.map { [$0.key: $0.value] } ?? fields
    }
}

extension Client {
    /// The fields as the app reads them.
    private func readable(
        _ fields: [String: JSONValue], of model: String
    ) -> [String: JSONValue] {
        app?.readable(fields, of: model) ?? fields
    }

    /// The fields of a record before anything is set, on a device with the library. A creation
    /// lacks the fields that the version in which it was made does not have.
    func startingFields(of model: String) -> [String: JSONValue] {
        guard shadowsRealClient, let rules = app?.rules, let role = lastRole,
            let model = rules.model(named: model)
        else { return [:] }
        return rules.book.blankRecord(
            of: model, by: Asker(login: participant.login, group: role.group, role: role))
    }
}

// MARK: - Requests

extension Client {
    /// Returns the changes that are sent for the first time. They must be as saved, and a change
    /// that was sent before must be unchanged, because it may have arrived.
    mutating func send(_ request: SyncRequest) throws(InvariantViolation) -> [WaitingChange] {
        guard request.cursor == cursor else {
            throw InvariantViolation(
                .clientHoldsWhatItGot, "\(summary) asks from another cursor")
        }
        var fresh: [WaitingChange] = []
        var passed: [Int] = []
        for message in request.changes {
            let index = waiting.indices.first {
                !passed.contains($0) && waiting[$0].message.guid == message.guid
            }
            guard let index else { throw violation("sends", message, "which nobody made") }
            let isFollowing = passed.contains { waiting[$0].message.guid == message.guid }
            passed.append(index)
            try check(message, isFollowing, of: waiting[index])
            guard waiting[index].stage != .sent else { continue }
            waiting[index].message = message
            waiting[index].stage = .sent
            fresh.append(waiting[index])
        }
        return fresh
    }

    private func check(
        _ message: ChangeMessage, _ isFollowing: Bool, of saved: WaitingChange
    ) throws(InvariantViolation) {
        guard message.action == saved.message.action, message.fields == saved.message.fields else {
            throw violation("sends", message, "and \(saved.message.summary) was made")
        }
        guard message.base != nil || message.action == .create || isFollowing else {
            throw violation("sends", message, "and does not say from which revision it was made")
        }
        guard saved.stage != .sent || message.id == saved.message.id else {
            throw violation("sends", message, "again under another id, and it may have arrived")
        }
    }

    private func violation(
        _ verb: String, _ message: ChangeMessage, _ rest: String
    ) -> InvariantViolation {
        InvariantViolation(
            .clientKeepsWhatIsSaved,
            "\(summary) \(verb) \(message.summary), \(rest)")
    }

    /// Disputed changes are sent again with each sync.
    mutating func requeueDisputes() {
        for index in waiting.indices where waiting[index].stage == .disputed {
            waiting[index].stage = .waiting
        }
    }
}

// MARK: - Answers

extension Client {
    /// The record comes with a later page. Until then it is as the change left it.
    mutating func anticipate(_ outcome: OutcomeMessage) {
        guard let change = waiting.first(where: { $0.message.id == outcome.id })?.message,
            outcome.outcome == .accepted || outcome.outcome == .merged,
            let revision = outcome.revision
        else { return }
        let known = held(change.guid)
        guard known?.revision ?? 0 < revision else { return }
        let group = session?.role.group ?? participant.group
        let fresh = RecordMessage(
            model: change.model, guid: change.guid, revision: 1, owner: participant.login,
            group: group, deleted: false, conflicted: false,
            fields: startingFields(of: change.model))
        var record = known ?? (change.action == .create ? fresh : nil)
        let fields = record?.fields ?? [:]
        record?.fields = fields.merging(change.fields) { _, own in own }
        record?.deleted = change.action == .delete
        awaited[change.guid] = .some(record)
    }

    /// No app can decide about a record that is gone from the device: the conflict mode does.
    ///
    /// - Parameter others: The guids of records that the device stores, also removed ones with
    ///   changes, and of those about which the app has decided.
    mutating func releaseDisputes(except others: Set<String>) {
        for index in waiting.indices where waiting[index].stage == .disputed {
            let guid = waiting[index].message.guid
            if held(guid) == nil, !others.contains(guid) { waiting[index].stage = .waiting }
        }
    }

    /// Applies the decision of the app.
    mutating func settle(_ dispute: SettledDispute, by rules: Rules) {
        let index = waiting.firstIndex {
            $0.message.guid == dispute.guid && $0.stage == .disputed
        }
        guard let index else { return }
        let server = held(dispute.guid).flatMap { $0.deleted ? nil : $0 }
        switch dispute.decision {
        case .later: return
        case .theirs: waiting.remove(at: index)
        case .mine:
            waiting[index].stage = .waiting
            // For a deleted record, the conflict mode decides.
            if let server { waiting[index].seen = server.revision }
        case .merged(let fields):
            guard let server, let role = lastRole else { return }
            let changed = differences(
                of: fields, from: server.fields ?? [:], in: waiting[index].message.model,
                of: Ownership(owner: server.owner, group: server.group), role, rules)
            waiting[index].message.action = .update
            waiting[index].message.fields = changed
            waiting[index].seen = server.revision
            waiting[index].stage = .waiting
            if changed.isEmpty { waiting.remove(at: index) }
        }
    }
}
