import ChangeRules
import DefinitionModel
import JSON
package import SyncEngine

/// Gives the users of a Parse server their profiles: records of the model `_User` with the old ids,
/// which are then the ids of these users, so that pointers to them lead to them.
package struct ProfileImport {
    private let model: Model?
    private var run: ImportRun?
    private let columns: RowColumns?
    /// The logins whose profiles were added.
    private var owners: Set<String> = []

    /// The columns for which the definition has no field.
    package private(set) var leftOut: Set<String> = []
    private static let mostLeftOut = 1000

    /// Rows that are not imported are passed to `report`.
    ///
    /// - Parameters:
    ///   - group: That of new users.
    ///   - name: See `ImportOptions.name`.
    package init(
        into engine: Engine, group: String, name: String, isTrial: Bool, at now: Instant,
        reporting report: @escaping (RowProblem) -> Void
    ) throws(SyncError) {
        model = engine.rules.definition.models.first { $0.foreignName == RowParser.userClass }
        columns = model.map { RowColumns(.parse, of: $0) }
        guard let model else { return }
        var options = ImportOptions(format: .jsonl)
        options.source = .parse
        options.model = model.name
        options.name = name
        options.isTrial = isTrial
        options.profileGroup = group
        run = try ImportRun(options, into: engine, at: now, reporting: report)
    }

    /// Whether the definition has the model of the profiles.
    package var hasModel: Bool { model != nil }

    /// All rows that were added, and those that were refused.
    package var summary: ImportSummary { run?.summary ?? ImportSummary() }

    /// - Parameter owner: The login of the user.
    package mutating func add(_ user: UserRow, owner: String) async throws(SyncError) {
        for (name, value) in user.profile where value != .null && !takes(name, value) {
            if leftOut.count < Self.mostLeftOut { leftOut.insert(name.shortenedName) }
        }
        guard let model else { return }
        guard owners.insert(owner).inserted else {
            run?.refuse(.otherProfile(user.line, of: owner))
            return
        }
        try await run?.addProfile(of: user, owner: owner, in: model)
    }

    /// Call this once, after the last user.
    package mutating func finish() async throws(SyncError) { try await run?.finish() }

    /// Without a model, what no user loses counts as taken.
    private func takes(_ name: String, _ value: JSONValue) -> Bool {
        guard let columns else { return Self.system.contains(name) }
        return columns.takes(name, value)
    }

    private static let system: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]
}
