import Foundation

/// The system's message for an error of Foundation, in lower case, such as "permission denied"; the
/// error's own description if the system has none.
package func systemReason(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    let code = cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : posixCode(of: cause)
    return code.map { String(cString: strerror($0)).lowercased() } ?? error.localizedDescription
}

/// The code of the system behind an error of Foundation that has lost it.
private func posixCode(of error: NSError) -> Int32? {
    error.domain == NSCocoaErrorDomain ? posixCodes[CocoaError.Code(rawValue: error.code)] : nil
}

private let posixCodes: [CocoaError.Code: Int32] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES,
    .fileWriteNoPermission: EACCES, .fileWriteFileExists: EEXIST, .fileWriteOutOfSpace: ENOSPC,
    .fileWriteVolumeReadOnly: EROFS,
]
