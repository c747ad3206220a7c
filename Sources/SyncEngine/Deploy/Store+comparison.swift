package import DefinitionModel
import VersionTranslation

/// A definition with its `application.xml`.
package struct ComparedVersion: Sendable {
    let source: [UInt8]
    let definition: Definition

    package init(_ source: [UInt8], _ definition: Definition) {
        (self.source, self.definition) = (source, definition)
    }
}

extension Store {
    /// Returns the versions whose names the comparison of two versions follows: those of the
    /// environment with most versions between the two; one that had both precedes others. Nil if
    /// no environment had the old one.
    package func history(
        from old: ComparedVersion, to new: ComparedVersion
    ) async throws(StoreError) -> ComparedHistory? {
        var chosen: ComparedHistory?
        for environment in try await environments() {
            guard let state = try await self.environment(named: environment.name) else { continue }
            let history = ComparedHistory(
                of: try await versions(of: state.id), from: old, to: new)
            if let history, chosen?.isLess(than: history) ?? true { chosen = history }
        }
        return chosen
    }
}

/// The versions of an environment that had one of those to be compared.
package struct ComparedHistory: Sendable {
    private let old: ComparedVersion
    private let new: ComparedVersion
    private let versions: [StoredVersion]
    /// Whether it had the other one too.
    private let hasBoth: Bool
    private let steps: Int

    /// Nil if the environment never had the old version.
    fileprivate init?(
        of versions: [StoredVersion], from old: ComparedVersion, to new: ComparedVersion
    ) {
        guard let start = versions.lastIndex(where: { $0.source == old.source }) else {
            return nil
        }
        let end = versions.lastIndex { $0.source == new.source }
        (self.old, self.new, self.versions) = (old, new, versions)
        hasBoth = end != nil
        steps = abs((end ?? versions.endIndex) - start)
    }

    /// Whether the other one tells more of the names.
    fileprivate func isLess(than other: ComparedHistory) -> Bool {
        (hasBoth ? 1 : 0, steps) < (other.hasBoth ? 1 : 0, other.steps)
    }

    /// The size of all that is compiled.
    package var bytes: Int { versions.reduce(0) { $0 + $1.source.count } }

    /// Returns the new definition for its comparison with the old one: with the names that the
    /// environment has given since to what the old one has, as if it was deployed there.
    ///
    /// - Parameter compile: Nil for a version that this Waggle does not take.
    package func followed(compiling compile: ([UInt8]) -> Definition?) -> Definition {
        var deployed = versions.compactMap { version in
            compile(version.source).map {
                DeployedDefinition(
                    $0, sequence: version.sequence, followsBack: version.followsBack)
            }
        }
        if !hasBoth { deployed.append(DeployedDefinition(new.definition, sequence: nil)) }
        let path = VersionPath(
            from: old.definition.fingerprint, to: new.definition.fingerprint,
            along: deployed.followingBack.map(\.definition))
        return path.map { new.definition.naming(old.definition, along: $0) } ?? new.definition
    }
}
