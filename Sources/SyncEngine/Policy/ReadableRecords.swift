package import AccessPolicy

/// The records that an asker may see, as a value that a request to a store can contain.
///
/// It is one reference, because requests are copied often and few contain it.
package struct ReadableRecords: Sendable {
    private final class Contents: Sendable {
        let asker: Asker
        /// By model. A model of an earlier definition is not among them: nobody sees its records.
        let policies: [String: ReadPolicy]

        init(_ asker: Asker, _ policies: [String: ReadPolicy]) {
            self.asker = asker
            self.policies = policies
        }
    }

    private let contents: Contents

    init(of asker: Asker, by policies: [String: ReadPolicy]) {
        contents = Contents(asker, policies)
    }

    package init(of asker: Asker, under rules: Rules) {
        self.init(of: asker, by: rules.shown(to: asker.role)?.policies ?? [:])
    }

    package func contains(_ record: OwnedRecord) -> Bool {
        guard let policy = contents.policies[record.model] else { return false }
        return policy.view(of: record.ownership, for: contents.asker) != .nothing
    }

    package func shows(_ field: String, of record: OwnedRecord) -> Bool {
        guard let policy = contents.policies[record.model] else { return false }
        return policy.view(of: record.ownership, for: contents.asker).shows(field: field)
    }

    package var login: String { contents.asker.login }
    package var group: String { contents.asker.group }

    /// The models of which the asker may see records. Bit `Relationship.index` of the mask of a
    /// model says whether those in that relationship to the asker are visible.
    package var masks: [(model: String, mask: Int64)] {
        contents.policies.sorted { $0.key < $1.key }.map { model, policy in
            let visible = Relationship.all.filter { policy.view(at: $0) != .nothing }
            return (model, visible.reduce(0) { $0 | (1 << Int64($1.index)) })
        }
    }
}

extension ReadableRecords: Hashable {
    package static func == (left: ReadableRecords, right: ReadableRecords) -> Bool {
        left.contents.asker == right.contents.asker
            && left.contents.policies == right.contents.policies
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(contents.asker) }
}

/// The properties of a record that determine who may see it.
package struct OwnedRecord: Hashable, Sendable {
    package let model: String
    package let ownership: Ownership

    package init(model: String, ownership: Ownership) {
        self.model = model
        self.ownership = ownership
    }

    package init(model: String, owner: String, group: String) {
        self.init(model: model, ownership: Ownership(owner: owner, group: group))
    }

    package init(of record: StoredRecord) {
        self.init(model: record.model, ownership: record.ownership)
    }
}
