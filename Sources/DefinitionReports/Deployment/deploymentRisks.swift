/// A difference by which a deployment would break clients, or hide or lose stored values. An
/// operator has to accept it by name.
package struct DeploymentRisk: Hashable, Sendable {
    /// The kind of difference and what it is about, such as `fieldRemoved:Film.score` and
    /// `groupRemoved:guests`. Differences in rights have the models: `rightLost:Film+Book`.
    package let name: String
    /// The differences with this name, each a clause, the effects included.
    package let messages: [String]
    /// The number of stored records that it concerns; 0 if it concerns clients only.
    package let records: Int
    /// The guids of some of them, at most `RecordCensus.mostExamples`.
    package let examples: [String]
}

/// The risks of a deployment, in the order of the differences. Pure: what is stored is counted
/// before.
///
/// - Parameters:
///   - comparison: The current definition compared with the one to deploy.
///   - census: Has counted every stored record.
///   - isUsed: Whether there are clients, or were.
///   - users: The number of users of each group that is removed.
package func deploymentRisks(
    _ comparison: DefinitionComparison, _ census: RecordCensus, isUsed: Bool,
    users: [String: Int] = [:]
) -> [DeploymentRisk] {
    let ofDifferences = comparison.differences.compactMap { difference -> DeploymentRisk? in
        let concerned = concernedRecords(difference, census)
        let breaksClients =
            isUsed && difference.clients.impact == .breaking && !census.isFilled(difference)
        guard !concerned.isEmpty || breaksClients else { return nil }
        var effects = concerned.map { "\(count($0.records.count, "stored record")): \($0.reason)" }
        if breaksClients { effects.append("clients: \(difference.clients.reason)") }
        if difference.kind == .groupRemoved, let group = difference.subject {
            effects.append("users in it: \(users[group, default: 0])")
        }
        let most = concerned.map(\.records).max { $0.count < $1.count } ?? ConcernedRecords()
        return DeploymentRisk(
            name: difference.name, messages: [message(difference.message, effects)],
            records: most.count, examples: most.examples)
    }
    let removed = Set(
        comparison.differences.filter { $0.kind == .modelRemoved }.compactMap(\.model))
    let ofRights = comparison.rights.filter { rights in
        isUsed && rights.clients.impact == .breaking && !removed.isSuperset(of: rights.models)
    }.map {
        DeploymentRisk(
            name: $0.name, messages: [message($0.message, ["clients: \($0.clients.reason)"])],
            records: 0, examples: [])
    }
    return joined(ofDifferences + ofRights)
}

/// The stored records that a difference concerns, by the reason; those without any are left out.
private func concernedRecords(
    _ difference: Difference, _ census: RecordCensus
) -> [(records: ConcernedRecords, reason: String)] {
    var concerned: [(records: ConcernedRecords, reason: String)] = []
    if difference.kind == .modelAdded {
        concerned.append(
            (
                census.records(concernedBy: difference),
                "they come back from an earlier version, and break limits or lack required values"
            ))
    } else if difference.data.impact > .safe {
        concerned.append((census.records(concernedBy: difference), difference.data.reason))
    }
    concerned.append(
        (
            census.returning(with: difference),
            "values come back from an earlier version that can be read, but not be set again"
        ))
    return concerned.filter { $0.records.count > 0 }
}

extension DefinitionComparison {
    /// The groups that the new definition does not have. Their users cannot sign in.
    package var removedGroups: [String] {
        differences.filter { $0.kind == .groupRemoved }.compactMap(\.subject)
    }
}

/// The risks that are not accepted.
package func refused(
    _ risks: [DeploymentRisk], accepting names: Set<String>
) -> [DeploymentRisk] {
    risks.filter { !names.contains($0.name) }
}

private func message(_ difference: String, _ effects: [String]) -> String {
    "\(difference); \(effects.joined(separator: "; "))"
}

/// Several limits of a field, or rights of several roles, have one name.
private func joined(_ risks: [DeploymentRisk]) -> [DeploymentRisk] {
    var order: [String] = []
    var byName: [String: DeploymentRisk] = [:]
    for risk in risks {
        if let other = byName[risk.name] {
            let most = other.records >= risk.records ? other : risk
            byName[risk.name] = DeploymentRisk(
                name: risk.name, messages: other.messages + risk.messages,
                records: most.records, examples: most.examples)
        } else {
            order.append(risk.name)
            byName[risk.name] = risk
        }
    }
    return order.compactMap { byName[$0] }
}

extension Difference {
    fileprivate var name: String {
        let subject = subject ?? [model, field].compactMap(\.self).joined(separator: ".")
        return subject.isEmpty ? kind.rawValue : "\(kind.rawValue):\(subject)"
    }
}

extension RightsDifference {
    fileprivate var name: String { "\(kind.rawValue):\(models.joined(separator: "+"))" }
}
