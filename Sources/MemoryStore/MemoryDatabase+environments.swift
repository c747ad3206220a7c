package import SyncEngine

extension MemoryDatabase {
    package func renameDeployed(
        _ environment: EnvironmentID, to name: String
    ) throws(StoreError) -> Bool {
        try write { contents throws(StoreError) in
            var renamed = try contents.environment(environment)
            guard contents.environment(named: name) == nil else { return false }
            renamed.name = name
            renamed.earlier.append(renamed.current)
            renamed.current = Version(
                number: contents.nextVersion(), content: renamed.current.content,
                deployedAfter: renamed.sequence)
            contents.environments[environment] = renamed
            return true
        }
    }

    package func remove(_ environment: EnvironmentID) throws(StoreError) {
        try write { contents throws(StoreError) in
            _ = try contents.environment(environment)
            contents.environments[environment] = nil
            contents.sessions = contents.sessions.filter { $0.value.environment != environment }
        }
    }
}
