import Foundation

/// The reason why a call of the system failed. `description` is a message for users.
package enum SystemFileError: Error, Hashable, Sendable {
    /// The disk is full, a quota is exhausted, or the file would be larger than a file may be.
    case outOfSpace
    /// The text names the file and has the system's message.
    case failed(String)

    /// The system's last error of this thread. `verb` is what could not be done, as in "open".
    package init(_ verb: String, _ path: String) {
        let code = errno
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace
        default:
            let message = String(cString: strerror(code)).lowercased()
            self = .failed("cannot \(verb) '\(path)': \(message)")
        }
    }
}

extension SystemFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .outOfSpace: "the disk is full, or a quota is used up"
        case .failed(let reason): reason
        }
    }
}
