import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// The update of an app, as the documentation of devices specifies it.

extension Client {
    /// Stored records and changes get the fields and types of the new version. Fields that the
    /// former one did not have are null until the next sync, or have the default or a placeholder
    /// if a value is required. A field that the user may not read is absent.
    ///
    /// - Parameter keep: The changes that are kept.
    mutating func update(
        to version: AppVersion, keeping keep: ([ChangeMessage]) -> [ChangeMessage]
    ) {
        let role = lastRole ?? Role(group: participant.group, deviceCategory: "")
        let asker = Asker(login: participant.login, group: role.group, role: role)
        let former = app
        let updated = { (record: RecordMessage) in
            record.adapted(to: version).map { adapted in
                adapted.completed(by: version, after: former, for: asker)
            }
        }
        records = records.compactMapValues(updated)
        awaited = awaited.mapValues { $0.flatMap(updated) }
        let kept = Set(keep(waiting.map(\.message)).map(\.id))
        waiting.removeAll { !kept.contains($0.message.id) }
        for index in waiting.indices {
            waiting[index].message = adapted(waiting[index].message, to: version)
        }
        for index in refused.indices {
            refused[index].message = adapted(refused[index].message, to: version)
        }
        app = version
    }

    /// The library leaves out what says nothing in the new version.
    private func adapted(_ change: ChangeMessage, to version: AppVersion) -> ChangeMessage {
        if shadowsRealClient, let app {
            let isKnown = [app, version].allSatisfy { $0.rules.model(named: change.model) != nil }
            return isKnown ? app.served(change, by: version.rules) : change
        }
        var change = change
        change.fields = change.fields.adapted(to: version, change.model, keepingOthers: true)
        return change
    }
}

extension RecordMessage {
    /// Nil if the version does not have the model.
    fileprivate func adapted(to version: AppVersion) -> RecordMessage? {
        guard version.rules.model(named: model) != nil else { return nil }
        return with(model: model) { $0.adapted(to: version, model) }
    }
}

extension RecordMessage {
    fileprivate func completed(
        by version: AppVersion, after former: AppVersion?, for asker: Asker
    ) -> RecordMessage {
        guard !deleted, var fields else { return self }
        let ownership = Ownership(owner: owner, group: group)
        for field in version.rules.model(named: model)?.model.fields ?? []
        where fields[field.name] == nil && former?.field(field.name, of: model) == nil
            && asker.may(.read, .field(field.name, of: model), of: ownership, version.rules)
        {
            fields[field.name] = field.valueIfUnserved
        }
        var record = self
        record.fields = fields
        return record
    }
}

extension [String: JSONValue] {
    fileprivate func adapted(
        to version: AppVersion, _ model: String, keepingOthers: Bool = false
    ) -> Self {
        var adapted: Self = [:]
        for (name, value) in self {
            if let field = version.field(name, of: model) {
                adapted[name] =
                    keepingOthers ? field.type.written(value) : field.type.reading(value)
            } else if keepingOthers {
                adapted[name] = value
            }
        }
        return adapted
    }
}
