import AdminWire
import Administration
import Console
import DefinitionCompiler
import MailDelivery
import Secrets
import SourceGenerator
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

    /// The wire as it is served in this mode. A loopback address is no proof that a request comes
    /// from this machine: a proxy on it passes on what others send.
    func serving(_ wire: any Wire, offeredAt origins: AdminOrigins) -> any Wire {
        switch self {
        case .loopback: LocalWire(wire) { origins.isSecure(host: $0) }
        case .on, .off: wire
        }
    }
}

extension ServeOptions {
    /// The wire of the administration, with the designers it knows of; nil if it is off.
    func adminWire(
        _ settings: ResolvedSettings, of database: OpenDatabase, at host: String,
        _ metrics: ServerMetrics?, file: DraftFile?, _ mails: MailDesk?,
        _ texts: MailTexts
    ) async throws -> (wire: any Wire, presence: DraftPresence)? {
        let name = try await settings.value(of: ServeSettings.admin, given: admin)
        let mode = AdminMode(rawValue: name) ?? .off
        guard mode.isOn(listeningOn: host) else { return nil }
        let origins = try await origins(ofAdministration: settings)
        let wire = OperatorWire(
            store: database.store, origins: origins, metrics: metrics?.registry,
            file: file, mails: mails, texts: texts,
            library: try await library(settings, in: mode),
            presence: DraftPresence(of: freshGuid(), channel: database.designers))
        return (mode.serving(wire, offeredAt: origins), wire.presence)
    }

    /// The library of new packages. A checkout is of use only to those who are on this machine.
    private func library(
        _ settings: ResolvedSettings, in mode: AdminMode
    ) async throws -> LibraryLocation? {
        let url = try await settings.value(
            of: ServeSettings.libraryAddress, given: libraryAddress)
        guard url.isEmpty else {
            guard isURL(url) else {
                throw ToolFailure(
                    .wrongUsage, "'\(url)' is not the URL of a repository",
                    help: "write it as in https://example.org/waggle")
            }
            return .repository(url: url)
        }
        switch mode {
        case .loopback: return checkoutOfThisProgram().map(LibraryLocation.folder)
        case .on, .off: return nil
        }
    }

    private func origins(
        ofAdministration settings: ResolvedSettings
    ) async throws -> AdminOrigins {
        let text = try await settings.value(
            of: ServeSettings.adminOrigins, given: adminOrigins)
        guard let origins = AdminOrigins(text) else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not a list of HTTPS origins",
                help: "write them as in 'https://admin.example https://other.example:8443'")
        }
        return origins
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
    ) async throws -> (any Wire)? {
        let name = try await settings.value(of: ServeSettings.console, given: console)
        let mode = AdminMode(rawValue: name) ?? .off
        guard mode.isOn(listeningOn: host) else { return nil }
        return mode.serving(
            ConsoleWire(), offeredAt: try await origins(ofAdministration: settings))
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
