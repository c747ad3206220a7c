import Foundation

/// The encryption of the stored data. The files also have permissions for their owner alone.
public enum Protection: Hashable, Sendable, CaseIterable {
    /// Encrypted by the system until the first unlock after a start: file protection of iOS,
    /// iPadOS, tvOS, watchOS and visionOS. A sync can continue while the device is locked.
    case untilFirstUnlock
    /// No encryption of single files: macOS and Linux encrypt whole disks (FileVault, LUKS), or
    /// none. The records are readable to anyone who may read this user's files or has the disk.
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

    /// Applies to everything that is created in the folder from now on.
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
