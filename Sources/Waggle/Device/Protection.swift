import Foundation

/// How what lies on a device is encrypted, beside the rights of its files, which are its owner's
/// alone.
public enum Protection: Hashable, Sendable, CaseIterable {
    /// By the system, with a key that is there once the device has been unlocked after it was
    /// started: file protection of iOS, iPadOS, tvOS, watchOS and visionOS. A sync can go on while
    /// the device is locked.
    case untilFirstUnlock
    /// Not for single files: macOS and Linux encrypt disks as a whole (FileVault, LUKS), or do not.
    /// Whoever may read this user's files, or has the disk, can read the records.
    case none
}

extension Protection {
    static var ofThisPlatform: Protection {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            .untilFirstUnlock
        #else
            .none
        #endif
    }

    /// For all that will be made in the folder.
    func apply(to folder: URL) throws {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            switch self {
            case .untilFirstUnlock:
                try FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                    ofItemAtPath: folder.path)
            case .none: return
            }
        #endif
    }
}

extension Database {
    /// Whether the records, files and tokens on this device are encrypted while it is off.
    public var protection: Protection { .ofThisPlatform }
}
