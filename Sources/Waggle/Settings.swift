public import Foundation

/// The place of a database on the device, and the server it syncs with.
public struct Settings: Sendable {
    /// The environment of the server, or none.
    public enum Mode: Hashable, Sendable {
        /// No server: every login succeeds with this group, and syncing does nothing.
        case development(group: String)
        /// The environment `test`.
        case test
        /// The environment `production`.
        case production
        /// An environment of another name.
        case environment(String)
    }

    /// The environment to sync with.
    public var mode: Mode
    /// The address of the server without a path, such as `https://sync.example.org`. The mode
    /// `development` uses none.
    public var server: URL
    /// A device category of the definition. With the group of the user it makes the role.
    public var deviceCategory: String
    /// The folder for everything that is kept on this device. It is made if it is not there, for
    /// its owner alone. It is encrypted where the platform has that: see ``Database/protection``.
    ///
    /// On iOS an app may write to the directory for application support, but not to its home
    /// directory. tvOS lets it write to the directory for caches alone, which the system may empty
    /// while the app does not run: sync edits soon there.
    public var folder: URL

    /// Settings with all their values.
    public init(mode: Mode, server: URL, deviceCategory: String, folder: URL) {
        self.mode = mode
        self.server = server
        self.deviceCategory = deviceCategory
        self.folder = folder
    }
}

extension Settings.Mode {
    var environment: String {
        switch self {
        case .development: "development"
        case .test: "test"
        case .production: "production"
        case .environment(let name): name
        }
    }
}

/// A user who is logged in.
public struct User: Hashable, Sendable {
    /// The login, as the server has it.
    public let login: String
    /// The group of the user.
    public let group: String
    /// Group and device category, such as `users-mobile`.
    public let role: String
    /// Whether the user was checked on this device, because the server could not be reached.
    public let isOffline: Bool
}
