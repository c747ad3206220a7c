import Administration
import DefinitionModel
import DefinitionReports
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer

/// Deployments.
extension AdminExchange {
    /// Deploys a version or a definition to an environment, which is created if it does not exist.
    func deploy() async throws -> Response {
        let name = try context.pathPart("environment")
        guard EnvironmentName.isLegal(name) else {
            throw HTTPFailure.environmentNameIllegal(name)
        }
        let (source, definition) = try await sentDefinition()
        let present = try await environment(named: name)
        if let expected = body.optionalText("expecting"),
            !expected.utf8.elementsEqual((present?.state.fingerprint ?? "").utf8)
        {
            throw HTTPFailure.fingerprintStale(present?.state.fingerprint ?? "")
        }
        let deployment = Deployment(
            of: definition, source: source, at: now, instance: freshGuid(),
            replacing: present?.state, after: try await versions(of: present), by: actor,
            opensLock: caller?.scope == .deployer)
        let differences = try present.map { try compared($0.definition, definition) }
        guard body.flag("dryRun") != true else {
            return try answer(
                deployment.decide(on: present?.state), to: name, definition, differences)
        }
        try await log(
            target: definition.fingerprint,
            before: present.map { .object(["fingerprint": .string($0.state.fingerprint)]) },
            after: .object(["fingerprint": .string(definition.fingerprint)]))
        let result = try await storing { () async throws(StoreError) in
            try await desk.store.deploy(to: name, deciding: deployment.decide)
        }
        switch result {
        case .success(let deployed):
            return answer(
                true, to: name, definition, renamed: deployed.renamedRecords, nil, differences)
        case .failure(.isCurrent): return answer(false, to: name, definition, nil, differences)
        case .failure(let refusal): throw HTTPFailure(refusal, environment: name)
        }
    }

    /// The answer to a dry run.
    private func answer(
        _ decision: Result<NewVersion, DeploymentRefusal>, to name: String,
        _ definition: Definition, _ differences: JSONValue?
    ) throws -> Response {
        switch decision {
        case .success, .failure(.isCurrent): answer(false, to: name, definition, nil, differences)
        case .failure(let refusal):
            answer(
                false, to: name, definition, HTTPFailure(refusal, environment: name).code,
                differences)
        }
    }

    private func answer(
        _ isDeployed: Bool, to name: String, _ definition: Definition, renamed: Int = 0,
        _ refusal: String?, _ differences: JSONValue?
    ) -> Response {
        .json(
            .object([
                "deployed": .boolean(isDeployed), "environment": .string(name),
                "fingerprint": .string(definition.fingerprint),
                "renamedRecords": .integer(Int64(renamed)), "refusal": JSONValue(text: refusal),
                "differences": differences ?? .null,
            ]))
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
            return DeployedDefinition(definition, sequence: version.sequence)
        }
    }

    /// The differences as `waggle diff` writes them.
    func compared(
        _ old: Definition, _ new: Definition, _ names: (old: String, new: String) = ("", "")
    ) throws -> JSONValue {
        let comparison = DefinitionComparison(from: old, to: new)
        let files = ComparedFiles(old: names.old, new: names.new)
        return try parseJSON(Array(renderAsJSON(comparison, files: files).utf8))
    }
}
