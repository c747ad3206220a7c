import AdminWire
import Administration
import Console
import DefinitionCompiler
import MailDelivery
import Secrets
import SyncEngine
import SyncServer

/// Where the administration over HTTP is on.
enum AdminMode: String, CaseIterable {
    /// On servers that listen on a loopback address.
    case loopback
    case on
    case off

    func isOn(listeningOn host: String) -> Bool {
        switch self {
        case .loopback:
            AdminOrigins.isLoopback(host: host) || host == "::1"
        case .on: true
        case .off: false
        }
    }
}

extension ServeOptions {
    /// The wire of the administration; nil if it is off.
    func adminWire(
        _ settings: ResolvedSettings, of database: OpenDatabase, at host: String,
        _ metrics: ServerMetrics?, file: DraftFile?, _ mails: MailDesk?
    ) async throws -> OperatorWire? {
        let name = try await settings.value(of: ServeSettings.admin, given: admin)
        guard (AdminMode(rawValue: name) ?? .off).isOn(listeningOn: host) else { return nil }
        let text = try await settings.value(
            of: ServeSettings.adminOrigins, given: adminOrigins)
        guard let origins = AdminOrigins(text) else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not a list of HTTPS origins",
                help: "write them as in 'https://admin.example https://other.example:8443'")
        }
        return OperatorWire(
            store: database.store, origins: origins, metrics: metrics?.registry,
            file: file, mails: mails,
            presence: DraftPresence(of: freshGuid(), channel: database.designers))
    }
}

extension ServeOptions {
    /// The file that designers change; nil if they change none.
    func draftFile(_ settings: ResolvedSettings, of path: String?) async throws -> DraftFile? {
        guard try await settings.value(of: ServeSettings.editFile, given: editFile) else {
            return nil
        }
        guard let path, path != "-" else {
            throw ToolFailure(
                .wrongUsage, "there is no file that designers could change",
                help: "name an application.xml, or leave '--edit-file' out")
        }
        return DraftFile(of: try DefinitionFile(former: path, within: CompilerLimits()))
    }
}

extension ServeOptions {
    /// The wire of the console; nil if it is off.
    func consoleWire(
        _ settings: ResolvedSettings, at host: String
    ) async throws -> ConsoleWire? {
        let name = try await settings.value(of: ServeSettings.console, given: console)
        let isOn = (AdminMode(rawValue: name) ?? .off).isOn(listeningOn: host)
        return isOn ? ConsoleWire() : nil
    }
}

extension OpenDatabase {
    /// Stores a token for the first operator and returns it; nil if there is an operator.
    func setupToken() async throws -> String? {
        let token = BearerToken.make()
        let now = Instant.now
        let isNeeded = try await calling { store throws(StoreError) in
            try await store.addSetup(
                tokenHash: BearerToken.hash(token),
                expiresAt: now.adding(seconds: AdministrationLimits.setupSeconds), at: now)
        }
        return isNeeded ? token : nil
    }
}
