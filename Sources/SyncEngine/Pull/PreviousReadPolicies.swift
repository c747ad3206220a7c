package import AccessPolicy
package import DefinitionModel
import VersionTranslation

/// The views that a user had of the records of a model under earlier rights, for clients that know
/// a time in place of a cursor.
package struct PreviousReadPolicies: Sendable {
    private let model: String
    /// By the index of the change that ended them; nil for rights that show the same as the present
    /// ones, or are not known.
    private var policies: [Int: PreviousReadPolicy] = [:]
    private let changes: [ReadPolicyChange]

    fileprivate init(
        of asker: Asker, before changes: [ReadPolicyChange], in model: String, of engine: Engine
    ) {
        self.model = model
        self.changes = changes
        let now = engine.readRules
        let present = now.policy.readPolicy(of: model, for: asker.role)
        var (group, fingerprint) = (asker.group, now.definition.fingerprint)
        for (index, change) in changes.enumerated().reversed() {
            switch change.former {
            case .group(let former): group = former
            case .definition(let former): fingerprint = former
            }
            guard let rules = engine.rules(heldOf: fingerprint) else { continue }
            let rights = Rights(
                fingerprint: fingerprint, login: asker.login, group: group,
                deviceCategory: asker.role.deviceCategory)
            let policy = engine.previousPolicy(of: rights, under: rules)
            if !policy.isSame(as: present, for: asker, of: model) { policies[index] = policy }
        }
    }

    /// The changes before which records may have looked different from now, of those with stamps
    /// that are free after a stamp; with their indices.
    package func changes(after stamp: Instant) -> [(index: Int, change: ReadPolicyChange)] {
        changes.enumerated().filter { policies[$0] != nil && $1.lastStamp > stamp }
            .map { ($0.offset, $0.element) }
    }

    /// Whether the asker saw a record before a change.
    package func saw(_ ownership: Ownership, before index: Int) -> Bool {
        policies[index].map { $0.view(of: model, ownership) != .nothing } ?? false
    }

    /// Whether the asker saw a record under any of the rights that were in force at a sequence or
    /// later, but for the present ones.
    package func saw(_ ownership: Ownership, since sequence: Int64) -> Bool {
        changes.indices.contains {
            changes[$0].sequence >= sequence && saw(ownership, before: $0)
        }
    }

    /// Whether a record with a last change at a stamp showed the asker a field since then, under
    /// each of the earlier rights that showed the record.
    package func alwaysShowed(
        _ field: Field, of ownership: Ownership, since stamp: Instant
    ) -> Bool {
        changes.indices.allSatisfy { index in
            guard changes[index].stamp >= stamp, let policy = policies[index] else { return true }
            let view = policy.view(of: model, ownership)
            return view == .nothing
                || ([field.name] + field.renamedFrom).contains(where: view.shows(field:))
        }
    }

    /// Whether a record with a last change at a stamp certainly showed the asker a field since
    /// then, under any of the earlier rights that ended after another moment too. A field that had
    /// other names counts only if all of them were shown: one may have been that of another field.
    package func onceShowed(
        _ field: Field, of ownership: Ownership, since stamp: Instant, endingAfter moment: Instant
    ) -> Bool {
        changes.indices.contains { index in
            guard changes[index].stamp >= max(stamp, moment), let policy = policies[index] else {
                return false
            }
            let view = policy.view(of: model, ownership)
            return ([field.name] + field.renamedFrom).allSatisfy(view.shows(field:))
        }
    }

    /// The same for a field that the present version does not have, by the name under which its
    /// values are still stored.
    package func onceShowed(
        stored name: String, of ownership: Ownership, since stamp: Instant,
        endingAfter moment: Instant
    ) -> Bool {
        changes.indices.contains { index in
            changes[index].stamp >= max(stamp, moment)
                && policies[index]?.showed(stored: name, of: model, ownership) ?? false
        }
    }

    /// Whether the asker may have seen a record before a change that came before this one.
    package func mayHaveSeen(_ ownership: Ownership, longBefore index: Int) -> Bool {
        (0..<index).contains { policies[$0] == nil || saw(ownership, before: $0) }
    }

    /// Whether a record that did not change since a change looked different before it.
    package func differs(
        _ view: FieldVisibility, of ownership: Ownership, before index: Int
    ) -> Bool {
        guard let policy = policies[index] else { return false }
        return !policy.isSame(policy.view(of: model, ownership), as: view, of: model)
    }
}

extension Engine {
    /// - Parameter changes: In the order of their stamps.
    package func previousReadPolicies(
        of asker: Asker, before changes: [ReadPolicyChange], in model: String
    ) -> PreviousReadPolicies {
        PreviousReadPolicies(of: asker, before: changes, in: model, of: self)
    }

    /// The rules of a version, or what the clients of this engine's view knew of them.
    fileprivate func rules(heldOf fingerprint: String) -> Rules? {
        let client = ClientTranslation.names(in: view.fingerprint)?.client
        let known = client.map { ClientTranslation.fingerprint(of: fingerprint, for: $0) }
        return known.flatMap(rules(ofVersion:)) ?? rules(ofVersion: fingerprint)
    }
}
