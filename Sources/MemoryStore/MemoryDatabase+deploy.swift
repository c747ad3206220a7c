package import SyncEngine

extension MemoryDatabase {
    package func environment(named name: String) throws(StoreError) -> EnvironmentState? {
        read().environment(named: name)?.state
    }

    package func environments() throws(StoreError) -> [EnvironmentDeployment] {
        read().environments.values.sorted { $0.id.number < $1.id.number }.map {
            EnvironmentDeployment(name: $0.name, deployment: $0.state.deployment)
        }
    }

    package func versions(of environment: EnvironmentID) throws(StoreError) -> [StoredVersion] {
        let environment = try read(environment)
        return (environment.earlier + [environment.current]).map {
            StoredVersion(
                source: $0.content.source, sequence: $0.deployedAfter, number: $0.number,
                fill: $0.fill, followsBack: true)
        }
    }

    package func fills() throws(StoreError) -> [StoredFill] {
        read().environments.values.flatMap { environment in
            (environment.earlier + [environment.current]).compactMap { version in
                version.fill.map {
                    StoredFill(
                        environment: environment.id, name: environment.name,
                        deployment: version.number, fill: $0)
                }
            }
        }.sorted { $0.deployment < $1.deployment }
    }

    package func update(
        _ fill: DeploymentFill, ofDeployment number: Int64
    ) throws(StoreError) {
        try write { contents in
            for (id, environment) in contents.environments {
                if environment.current.number == number {
                    contents.environments[id]?.current.fill = fill
                }
                for (place, version) in environment.earlier.enumerated()
                where version.number == number {
                    contents.environments[id]?.earlier[place].fill = fill
                }
            }
        }
    }

    package func key(
        _ key: EnvironmentKey, of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) throws(StoreError) -> [UInt8] {
        try write(in: environment) { environment in
            let bytes = environment.keys[key] ?? fresh
            environment.keys[key] = bytes
            return bytes
        }
    }

    package func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        try write { contents throws(StoreError) in
            switch deciding(contents.environment(named: name)?.state) {
            case .failure(let refusal): .failure(refusal)
            case .success(let version): try contents.deploy(version, to: name)
            }
        }
    }
}

extension Contents {
    /// Deploys a version. A refusal or an error changes nothing.
    fileprivate mutating func deploy(
        _ version: NewVersion, to name: String
    ) throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        let environment = environmentWithCurrent(version, named: name)
        let deployment = MemoryDeployment(
            environment,
            hasSessions: sessions.values.contains { $0.environment == environment.id })
        return try translating {
            do {
                let renamed = try version.adaptRecords(in: deployment)
                let environment = deployment.environment
                environments[environment.id] = environment
                administration.add(EnvironmentVersion(version, after: environment.sequence))
                return .success(Deployed(state: environment.state, renamedRecords: renamed))
            } catch let refusal as DeploymentRefusal {
                return .failure(refusal)
            }
        }
    }

    private mutating func environmentWithCurrent(
        _ content: NewVersion, named name: String
    ) -> Environment {
        let number = nextVersion()
        guard var environment = environment(named: name) else {
            return Environment(
                id: nextEnvironment(), name: name,
                instance: content.instance,
                current: Version(number: number, content: content, deployedAfter: 0))
        }
        let former = environment.current.content.fingerprint
        if former != content.fingerprint {
            environment.noteReadPolicyChange(from: .definition(former))
        }
        environment.earlier.append(environment.current)
        environment.current = Version(
            number: number, content: content, deployedAfter: environment.sequence)
        return environment
    }
}
