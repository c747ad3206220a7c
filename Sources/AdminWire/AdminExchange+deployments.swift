import Administration
import ChangeRules
import DefinitionModel
import DefinitionReports
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Deployments.
extension AdminExchange {
    /// Deploys a version or a definition to an environment, which is created if it does not exist.
    /// If records have changed since they were counted, it counts again.
    func deploy(count: Int = 1) async throws -> Response {
        let name = try context.pathPart("environment")
        guard EnvironmentName.isLegal(name) else {
            throw HTTPFailure.environmentNameIllegal(name)
        }
        let (source, definition) = try await sentDefinition()
        let present = try await environment(named: name)
        let rules = try sentRules().map { $0.readingText(for: definition) }
        try checkIsExpected(present)
        let deployment = Deployment(
            of: definition, source: source, at: now, instance: freshGuid(),
            replacing: present?.state, after: try await versions(of: present), by: actor,
            opensLock: caller?.scope == .deployer, filling: rules)
        var review = try await review(of: deployment.compared, replacing: present, filling: rules)
        review.clients = try await prospects(of: deployment, in: present)
        review.openConflicts = try await openConflicts(in: present)
        let target = DeploymentTarget(name: name, definition: definition, review: review)
        guard review.faults.isEmpty else { throw HTTPFailure.fillsFaulty(review.faults) }
        guard body.flag("dryRun") != true else {
            return target.answer(to: try await trial(of: deployment, in: present))
        }
        guard review.refused.isEmpty else {
            throw try await refusal(of: deployment, in: present, for: review.refused)
        }
        if count == 1 { try await log(definition, replacing: present, filling: rules) }
        let sequence = count < Deployment.mostCounts ? present?.state.sequence : nil
        let result = try await storing { () async throws(StoreError) in
            try await desk.store.deploy(to: name) { deployment.decide(on: $0, countedAt: sequence) }
        }
        switch result {
        case .failure(.recordsChanged): return try await deploy(count: count + 1)
        case .success(let deployed):
            return target.answer(isDeployed: true, renamed: deployed.renamedRecords)
        case .failure(.isCurrent): return target.answer(isDeployed: false)
        case .failure(let refusal): throw HTTPFailure(refusal, environment: name)
        }
    }

    /// Decides as a deployment, what is stored included.
    private func trial(
        of deployment: Deployment, in present: PresentEnvironment?
    ) async throws -> Result<NewVersion, DeploymentRefusal> {
        let decision = deployment.decide(on: present?.state)
        guard case .success(let version) = decision, let present else { return decision }
        let refusal = try await storing { () async throws(StoreError) in
            try await desk.store.refusal(of: version, in: present.state.id)
        }
        return refusal.map { .failure($0) } ?? decision
    }

    /// A reason that no acceptance of risks would change comes before them.
    private func refusal(
        of deployment: Deployment, in present: PresentEnvironment?, for risks: [DeploymentRisk]
    ) async throws -> HTTPFailure {
        switch try await trial(of: deployment, in: present) {
        case .success, .failure(.isCurrent): HTTPFailure.deploymentRisky(risks)
        case .failure(let refusal):
            HTTPFailure(refusal, environment: try context.pathPart("environment"))
        }
    }

    /// Throws `fingerprintStale` if the request expects another definition.
    private func checkIsExpected(_ present: PresentEnvironment?) throws {
        let fingerprint = present?.state.fingerprint ?? ""
        guard let expected = body.optionalText("expecting"),
            !expected.hasSameBytes(as: fingerprint)
        else { return }
        throw HTTPFailure.fingerprintStale(fingerprint)
    }

    private func log(
        _ definition: Definition, replacing present: PresentEnvironment?,
        filling rules: [FillRule]
    ) async throws {
        try await log(
            target: definition.fingerprint,
            before: present.map { .object(["fingerprint": .string($0.state.fingerprint)]) },
            after: .object([
                "fingerprint": .string(definition.fingerprint),
                "accepting": .array((body.texts("accepting") ?? []).map { .string($0) }),
                "fill": .array(rules.map(\.json)),
            ]))
    }

    /// Compares the definitions, and counts the stored records that the new one concerns.
    private func review(
        of definition: Definition, replacing present: PresentEnvironment?,
        filling rules: [FillRule]
    ) async throws -> DeploymentReview {
        var review = DeploymentReview()
        let comparison = DefinitionComparison(
            from: present?.definition ?? definition.withoutContents, to: definition)
        review.differences = try json(of: comparison)
        guard let present else { return review }
        let fills = FillRules(rules, for: definition)
        guard present.state.fingerprint != definition.fingerprint || !rules.isEmpty else {
            return review
        }
        var census = RecordCensus(from: present.definition, to: definition, filling: fills)
        let isUsed = try await storing { () async throws(StoreError) in
            try await desk.store.visitRecords(in: present.state.id) { guid, model, fields in
                census.add(guid, model: model, fields: fields)
            }
        }
        review.faults =
            FillRule.faults(in: rules, for: definition, replacing: present.definition)
            + FillRule.faults(in: rules, missing: census.missingRecords)
        review.fills = census.filledFields
        let users = try await storing { () async throws(StoreError) in
            try await desk.store.userCounts(
                ofGroups: comparison.removedGroups, in: present.state.id)
        }
        review.risks = deploymentRisks(comparison, census, isUsed: isUsed, users: users)
        review.refused = refused(review.risks, accepting: Set(body.texts("accepting") ?? []))
        return review
    }

    /// Conflicts that somebody still has to resolve, with fields that may be gone afterwards.
    private func openConflicts(in present: PresentEnvironment?) async throws -> [ModelConflicts] {
        guard let id = present?.state.id else { return [] }
        return try await storing { () async throws(StoreError) in
            try await desk.store.openConflictsByModel(in: id)
        }
    }

    /// The fill rules of the request. Throws `fillsFaulty` if one of them is none.
    private func sentRules() throws -> [FillRule] {
        guard case .array(let values) = body.value("fill") else { return [] }
        guard values.count <= FillRule.most else { throw HTTPFailure.tooManyFills() }
        return try values.map { value in
            guard let rule = FillRule(value) else { throw HTTPFailure.fillUnreadable() }
            return rule
        }
    }

    /// The version or the definition of the request, of which there must be one.
    private func sentDefinition() async throws -> (source: [UInt8], definition: Definition) {
        switch (body.number("version"), body.optionalText("xml")) {
        case (let number?, nil):
            let source = try await source(ofVersion: "\(number)")
            return (source, try definition(stored: source))
        case (nil, let xml?): return (Array(xml.utf8), try definition(sent: xml))
        case (nil, nil), (.some, .some): throw HTTPFailure.definitionMissing()
        }
    }

    private func versions(of present: PresentEnvironment?) async throws -> [DeployedDefinition] {
        guard let present else { return [] }
        let stored = try await storing { () async throws(StoreError) in
            try await desk.store.versions(of: present.state.id)
        }
        var compiled: [[UInt8]: Definition] = [:]
        return try stored.map { version in
            let definition =
                try compiled[version.source] ?? definition(stored: version.source)
            compiled[version.source] = definition
            return DeployedDefinition(
                definition, sequence: version.sequence, number: version.number,
                fill: version.fill, followsBack: version.followsBack)
        }
    }

    /// The differences as `waggle diff` writes them.
    func compared(
        _ old: Definition, _ new: Definition, _ names: (old: String, new: String)
    ) throws -> JSONValue {
        try json(of: DefinitionComparison(from: old, to: new), names)
    }

    private func json(
        of comparison: DefinitionComparison, _ names: (old: String, new: String) = ("", "")
    ) throws -> JSONValue {
        let files = ComparedFiles(old: names.old, new: names.new)
        return try parseJSON(Array(renderAsJSON(comparison, files: files).utf8))
    }
}

/// The changes and risks of a deployment.
private struct DeploymentReview {
    /// A new environment is compared with an empty definition.
    var differences = JSONValue.null
    var risks: [DeploymentRisk] = []
    /// The risks that the request does not accept.
    var refused: [DeploymentRisk] = []
    var faults: [FillFault] = []
    var fills: [FilledField] = []
    var clients: [JSONValue] = []
    var openConflicts: [ModelConflicts] = []
}

/// A definition for an environment, with the answers to the request.
private struct DeploymentTarget {
    let name: String
    let definition: Definition
    let review: DeploymentReview

    /// The answer to a dry run.
    func answer(to decision: Result<NewVersion, DeploymentRefusal>) -> Response {
        switch decision {
        case .success, .failure(.isCurrent):
            answer(isDeployed: false, review.refused.isEmpty ? nil : "deploymentRisky")
        case .failure(let refusal):
            answer(
                isDeployed: false, HTTPFailure(refusal, environment: name).code,
                repeated: refusal.repeatedValues)
        }
    }

    func answer(
        isDeployed: Bool, renamed: Int = 0, _ refusal: String? = nil,
        repeated: [RepeatedValues] = []
    ) -> Response {
        let refused = Set(review.refused.map(\.name))
        return .json(
            .object([
                "deployed": .boolean(isDeployed), "environment": .string(name),
                "fingerprint": .string(definition.fingerprint),
                "renamedRecords": .integer(Int64(renamed)), "refusal": JSONValue(text: refusal),
                "repeatedValues": .array(
                    repeated.map { counted($0.records, model: $0.model, field: $0.field) }),
                "differences": review.differences,
                "fills": .array(
                    review.fills.map { counted($0.records, model: $0.model, field: $0.field) }),
                "clients": .array(review.clients),
                "openConflicts": .array(review.openConflicts.map(\.json)),
                "risks": .array(
                    review.risks.map { $0.json(isAccepted: !refused.contains($0.name)) }),
            ]))
    }
}

extension Definition {
    /// The application as it is before its first deployment.
    fileprivate var withoutContents: Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: [], groups: [], roles: [], models: [],
            writtenExtensions: writtenExtensions, digest: "")
    }
}

private func counted(_ records: Int, model: String, field: String) -> JSONValue {
    .object([
        "model": .string(model), "field": .string(field), "records": .integer(Int64(records)),
    ])
}

extension ModelConflicts {
    fileprivate var json: JSONValue {
        .object(["model": .string(model), "conflicts": .integer(Int64(count))])
    }
}

extension DeploymentRisk {
    fileprivate func json(isAccepted: Bool) -> JSONValue {
        .object([
            "name": .string(name), "messages": .array(messages.map { .string($0) }),
            "records": .integer(Int64(records)), "accepted": .boolean(isAccepted),
            "examples": .array(examples.map { .string($0) }),
        ])
    }
}
