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
    /// Returns a definition for its comparison with a version: with the names that an environment
    /// has given since to what the version has, as if the definition was deployed there. That is
    /// the environment with most versions between the two; one that had both precedes others.
    ///
    /// - Parameter compile: Nil for a version that this Waggle does not take.
    package func definition(
        _ new: ComparedVersion, comparedWith old: ComparedVersion,
        compiling compile: @Sendable ([UInt8]) -> Definition?
    ) async throws(StoreError) -> Definition {
        var chosen: ComparedHistory?
        for environment in try await environments() {
            guard let state = try await self.environment(named: environment.name) else { continue }
            let history = ComparedHistory(
                of: try await versions(of: state.id), from: old, to: new)
            if let history, chosen?.isLess(than: history) ?? true { chosen = history }
        }
        guard let chosen else { return new.definition }
        var versions = chosen.versions.compactMap { version in
            compile(version.source).map {
                DeployedDefinition(
                    $0, sequence: version.sequence, followsBack: version.followsBack)
            }
        }
        if !chosen.hasBoth { versions.append(DeployedDefinition(new.definition, sequence: nil)) }
        let path = VersionPath(
            from: old.definition.fingerprint, to: new.definition.fingerprint,
            along: versions.followingBack.map(\.definition))
        return path.map { new.definition.naming(old.definition, along: $0) } ?? new.definition
    }
}

/// The versions of an environment that had one of those to be compared.
private struct ComparedHistory {
    let versions: [StoredVersion]
    /// Whether it had the other one too.
    let hasBoth: Bool
    private let steps: Int

    /// Nil if the environment never had the old version.
    init?(of versions: [StoredVersion], from old: ComparedVersion, to new: ComparedVersion) {
        guard let start = versions.lastIndex(where: { $0.source == old.source }) else {
            return nil
        }
        let end = versions.lastIndex { $0.source == new.source }
        self.versions = versions
        hasBoth = end != nil
        steps = abs((end ?? versions.endIndex) - start)
    }

    /// Whether the other one tells more of the names.
    func isLess(than other: ComparedHistory) -> Bool {
        (hasBoth ? 1 : 0, steps) < (other.hasBoth ? 1 : 0, other.steps)
    }
}
