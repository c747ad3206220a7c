import ChangeRules
import DefinitionModel
import Secrets
import SyncEngine

/// Deployments.
extension OpenDatabase {
    /// Makes the definition current, unless it is already. Throws if another definition was
    /// deployed after `present` was read, or if stored values do not fit.
    ///
    /// `instance` becomes the instance of an unused environment; nil keeps the present one. Throws
    /// if the environment is in use with another.
    ///
    /// - Parameter check: Throws if the definition must not become current; called unless something
    ///   else is in the way, and again if records have changed meanwhile.
    func deploy(
        _ file: DefinitionFile, to name: String, instance: String? = nil,
        replacing present: EnvironmentState?, by author: DeploymentAuthor = .tool,
        filling fills: [FillRule] = [],
        checking check: (Deployment, _ isRepeat: Bool) async throws -> Void = { _, _ in }
    ) async throws -> Deployed {
        let deployment = try await deployment(
            of: file, instance: instance, replacing: present, by: author, filling: fills)
        let refusal: DeploymentRefusal
        if case .failure(let first) = deployment.decide(on: present) {
            refusal = first
        } else {
            switch try await deploy(deployment, to: name, checking: check) {
            case .success(let deployed): return deployed
            case .failure(let later): refusal = later
            }
        }
        if case .isCurrent(let state) = refusal { return Deployed(state: state, renamedRecords: 0) }
        throw failure(refusal, of: file, name, present)
    }

    /// Decides as `deploy` does, and changes nothing. Throws if the definition would be refused.
    ///
    /// - Parameter check: As that of `deploy`.
    func tryDeployment(
        of file: DefinitionFile, to name: String, instance: String?,
        replacing present: EnvironmentState?, by author: DeploymentAuthor,
        filling fills: [FillRule], checking check: (Deployment) async throws -> Void
    ) async throws {
        let deployment = try await deployment(
            of: file, instance: instance, replacing: present, by: author, filling: fills)
        switch deployment.decide(on: present) {
        case .success(let version):
            try await check(deployment)
            guard let present, let refusal = try await refusal(of: version, in: present) else {
                return
            }
            throw failure(refusal, of: file, name, present)
        case .failure(.isCurrent): return
        case .failure(let refusal): throw failure(refusal, of: file, name, present)
        }
    }

    private func deployment(
        of file: DefinitionFile, instance: String?, replacing present: EnvironmentState?,
        by author: DeploymentAuthor, filling fills: [FillRule]
    ) async throws -> Deployment {
        Deployment(
            of: file.definition, source: file.bytes, at: .now,
            instance: instance ?? freshGuid(), replacesInstance: instance != nil,
            replacing: present, after: try await versions(of: present), by: author.name,
            opensLock: author.opensLock, filling: fills)
    }

    private func failure(
        _ refusal: DeploymentRefusal, of file: DefinitionFile, _ name: String,
        _ present: EnvironmentState?
    ) -> ToolFailure {
        switch refusal {
        case .isCurrent, .overtaken, .recordsChanged:
            ToolFailure(
                .inputAtFault, "someone else deployed another definition just now",
                help: "look at it, and try again")
        case .locked:
            ToolFailure(
                .inputAtFault, "environment '\(name)' of \(address) is locked",
                help: "deploy with the token of a deployer in WAGGLE_DEPLOY_TOKEN, or open the "
                    + "lock with 'waggle lock off'")
        case .otherApplication(let vendor, let application):
            ToolFailure(
                .inputAtFault,
                "environment '\(name)' of \(address) belongs to the application "
                    + "\(vendor)/\(application), and this is a definition of "
                    + "\(file.definition.vendor)/\(file.definition.application)",
                help: "deploy it to an environment of its own with --environment")
        case .instanceInUse: ToolFailure(inUse: name, with: present?.instance ?? "another one")
        case .typesClash(let clashes): ToolFailure(clashes, in: file, environment: name)
        case .valuesNotUnique(let fields): ToolFailure(fields, in: file, environment: name)
        case .fillsFaulty(let faults): ToolFailure(faults)
        }
    }

    private func refusal(
        of version: NewVersion, in present: EnvironmentState
    ) async throws(ToolFailure) -> DeploymentRefusal? {
        do {
            return try await store.refusal(of: version, in: present.id)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    private func deploy(
        _ deployment: Deployment, to name: String, count: Int = 1,
        checking check: (Deployment, _ isRepeat: Bool) async throws -> Void
    ) async throws -> Result<Deployed, DeploymentRefusal> {
        let isLast = count == Deployment.mostCounts
        let sequence = isLast ? nil : try await environment(named: name)?.sequence
        try await check(deployment, count > 1)
        let result = try await calling { store throws(StoreError) in
            try await store.deploy(to: name) { deployment.decide(on: $0, countedAt: sequence) }
        }
        guard case .failure(.recordsChanged) = result else { return result }
        return try await deploy(deployment, to: name, count: count + 1, checking: check)
    }

    /// Compiles each version once, however often it was deployed.
    func versions(
        of present: EnvironmentState?
    ) async throws -> [DeployedDefinition] {
        guard let present else { return [] }
        var compiled: [[UInt8]: Definition] = [:]
        return try await storedVersions(of: present).map { version in
            let definition =
                try compiled[version.source]
                ?? definition(stored: version.source, in: present.name)
            compiled[version.source] = definition
            return DeployedDefinition(
                definition, sequence: version.sequence, number: version.number,
                fill: version.fill, followsBack: version.followsBack)
        }
    }

    private func storedVersions(
        of present: EnvironmentState
    ) async throws(ToolFailure) -> [StoredVersion] {
        do {
            return try await store.versions(of: present.id)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    func definition(stored bytes: [UInt8], in name: String) throws -> Definition {
        try DefinitionFile(stored: bytes, environment: name).definition
    }
}
