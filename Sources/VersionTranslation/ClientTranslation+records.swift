package import AccessPolicy
package import ChangeRules
package import DefinitionModel
package import JSON

extension ClientTranslation {
    /// A record in the client's words; nil if the client does not know its model.
    ///
    /// A field that is not served is null, and so is a value that the client's type does not have.
    /// If the client's version requires a value, the default or a placeholder is in the place of
    /// null. A field that is not served is absent if that version would not show it to the asker.
    ///
    /// - Parameter fields: The client's fields that were asked for; nil for all.
    package func clientView(
        of record: RecordView, for asker: Asker, fields: [String]? = nil
    ) -> RecordView? {
        guard let model = model(servedAs: record.model) else { return nil }
        var values = record.fields.map(model.readFields)
        if values != nil, !model.unserved.isEmpty {
            let view = clientPolicy.readPolicy(of: model.client.name, for: asker.role)
                .view(of: Ownership(owner: record.owner, group: record.group), for: asker)
            for field in model.unserved
            where view.shows(field: field.name) && fields?.contains(field.name) ?? true {
                values?[field.name] = field.valueIfUnserved
            }
        }
        return RecordView(
            model: model.client.name, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted, fields: values,
            conflicts: record.conflicts.map { $0.map { $0.mapFields(model.clientFields) } })
    }

    /// A record that the client may hold, also of a model that is not served any more. Nil if the
    /// client does not know the model.
    package func clientKey(_ key: RecordKey) -> RecordKey? {
        clientName(ofStored: key.model).map { RecordKey(model: $0, guid: key.guid) }
    }
}

extension Field {
    /// The substitute for a value that is not known: null, or the default or a placeholder if a
    /// value is required.
    package var valueIfUnserved: JSONValue {
        isRequired ? JSONValue(defaultValue ?? placeholder) : .null
    }
}
