import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
package import SyncEngine

/// Gives the users of a Parse server their profiles: records of the model `_User` with the old ids,
/// which are then the ids of these users, so that pointers to them lead to them.
package struct ProfileImport {
    private let engine: Engine
    private let options: ImportOptions
    private let now: Instant
    private let report: (RowProblem) -> Void
    private let model: Model?
    private let columns: RowColumns?
    private var run: ImportRun?
    /// The profiles that no user was added for.
    private var refused = 0
    /// The logins whose profiles were added, and whose these are.
    private var owners: Set<String> = []
    private var holders: [JSONValue: String] = [:]

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
        (self.engine, self.now, self.report) = (engine, now, report)
        model = engine.rules.definition.models.first { $0.foreignName == Model.userClass }
        columns = model.map { RowColumns(.parse, of: $0) }
        var options = ImportOptions(format: .jsonl)
        options.source = .parse
        options.model = model?.name
        options.name = name
        options.isTrial = isTrial
        options.profileGroup = group
        self.options = options
        if model != nil {
            run = try ImportRun(options, into: engine, at: now, reporting: report)
        }
    }

    /// Whether the definition has the model of the profiles.
    package var hasModel: Bool { model != nil }

    /// All rows that were added, and those that were refused.
    package var summary: ImportSummary {
        var summary = run?.summary ?? ImportSummary()
        summary.refused += refused
        return summary
    }

    /// Whether a user who is not there yet could get the profile. Reports why not: the user is then
    /// not added, who would get another id at the first sign-in.
    package mutating func takes(_ user: UserRow, owner: String) async throws(SyncError) -> Bool {
        guard let model else { return true }
        let user = named(user, owner)
        if let problem = problem(of: user, owner) {
            refused += 1
            report(problem)
            return false
        }
        var options = options
        options.isTrial = true
        var trial = try ImportRun(options, into: engine, at: now, reporting: report)
        try await trial.addProfile(of: user, owner: owner, in: model)
        try await trial.finish()
        refused += trial.summary.refused
        return trial.summary.refused == 0
    }

    /// - Parameter owner: The login of the user, who is there unless this is a trial.
    package mutating func add(_ user: UserRow, owner: String) async throws(SyncError) {
        for (name, value) in user.profile where value != .null && !takes(name, value) {
            if leftOut.count < Self.mostLeftOut { leftOut.insert(name.shortenedName) }
        }
        guard let model else { return }
        let user = named(user, owner)
        if let problem = problem(of: user, owner) {
            run?.refuse(problem)
            return
        }
        owners.insert(owner)
        holders[user.profile[Self.idColumn] ?? .null] = owner
        try await run?.addProfile(of: user, owner: owner, in: model)
    }

    /// Why the profile is not that of the user, as far as earlier rows tell.
    private func problem(of user: UserRow, _ owner: String) -> RowProblem? {
        if owners.contains(owner) { return .otherProfile(user.line, of: owner) }
        return holders[user.profile[Self.idColumn] ?? .null].map {
            .otherOwner(user.line, of: owner, $0)
        }
    }

    /// The user with an id: without an old one, that of a profile which is made at a sign-in.
    private func named(_ user: UserRow, _ owner: String) -> UserRow {
        let id = user.profile[Self.idColumn] ?? .null
        guard id == .null || id == "" else { return user }
        let made = engine.naming?.parseID(of: owner, in: Model.userClass) ?? owner
        return UserRow(
            line: user.line, login: user.login, mail: user.mail,
            profile: user.profile.merging([Self.idColumn: .string(made)]) { $1 })
    }

    private static let idColumn = "objectId"

    /// Call this once, after the last user.
    package mutating func finish() async throws(SyncError) { try await run?.finish() }

    /// Without a model, what no user loses counts as taken.
    private func takes(_ name: String, _ value: JSONValue) -> Bool {
        guard let columns else { return Self.system.contains(name) }
        return columns.takes(name, value)
    }

    private static let system: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]
}
