package import DefinitionModel

/// The versions between that of a client and another one. Empty if both are the same.
package enum VersionPath: Hashable, Sendable {
    /// Later versions in the order of their deployment, the served one last.
    case later([Definition])
    /// Earlier versions, the newest first, the served one last.
    case earlier([Definition])

    /// The path from one version to another along the versions of an environment, in the order of
    /// their deployment. The last deployment of a version counts. Nil if one of them is unknown.
    package init?(from client: String, to served: String, along versions: [Definition]) {
        guard let start = versions.lastIndex(where: { $0.fingerprint == client }),
            let end = versions.lastIndex(where: { $0.fingerprint == served })
        else { return nil }
        self =
            start <= end
            ? .later(Array(versions[start...end].dropFirst()))
            : .earlier(versions[end..<start].reversed())
    }

    /// The path between two versions of which one was not deployed here. The served one is later
    /// if its document renames what the client has.
    package init(from client: Definition, to served: Definition) {
        let isLater = served.asWritten.models.contains { model in
            let known = ([model.name] + model.renamedFrom).lazy
                .compactMap { client.model(named: $0) }.first
            guard let known else { return false }
            let names = Set(known.fields.map(\.name))
            return known.name != model.name
                || model.fields.contains { !names.isDisjoint(with: $0.renamedFrom) }
        }
        self = isLater ? .later([served]) : .earlier([served])
    }

    /// Nil for an empty path.
    var end: Definition? {
        switch self {
        case .later(let versions), .earlier(let versions): versions.last
        }
    }
}
