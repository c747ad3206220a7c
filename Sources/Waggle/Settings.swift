public import Foundation

/// Where a database is, and who it syncs with.
public struct Settings: Sendable {
    /// What the server is for.
    public enum Mode: Hashable, Sendable {
        /// Without a server: whoever logs in is in this group, and syncing does nothing.
        case development(group: String)
        case test
        case production
        /// An environment of another name.
        case environment(String)
    }

    public var mode: Mode
    /// Such as `https://sync.example.org`, without a path.
    public var server: URL
    /// One of the definition's. With the user's group it is the role.
    public var deviceCategory: String
    /// The folder for everything that is kept on this device. It is made if it is not there, for
    /// its owner alone. It is encrypted where the platform has that: see ``Database/protection``.
    public var folder: URL

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

/// Who is logged in.
public struct User: Hashable, Sendable {
    public let login: String
    public let group: String
    /// Such as `users-mobile`.
    public let role: String
    /// Whether the server was not asked: they were known here, and so was their password.
    public let isOffline: Bool
}
