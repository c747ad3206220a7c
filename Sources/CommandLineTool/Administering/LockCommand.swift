import Administration
import ArgumentParser
import JSON
import SyncEngine

struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock an environment against deployments, or unlock it.",
        discussion: """
            A locked environment takes deployments only with the token of a deployer, such as one \
            of a build server, see 'waggle deploy'.
            """)

    enum LockSwitch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(help: "Whether the environment is locked.")
    var state: LockSwitch

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        let present = try await database.existingEnvironment(named: settings.environment)
        let isLocked = state == .on
        try await database.log(
            .lockEnvironment, environment: present.name, target: present.name,
            before: .boolean(present.isLocked), after: .boolean(isLocked))
        try await database.calling { store throws(StoreError) in
            try await store.setLock(isLocked, of: present.id)
        }
        Terminal.printMessage(
            "environment '\(present.name)' is \(isLocked ? "locked" : "open")")
        try database.close()
    }
}
