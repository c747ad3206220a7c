/// An upload of a user, or a download that takes as much of the server, which counts until the last
/// reference is released.
package final class UploadPermit: Sendable {
    private let login: String
    private let environment: ServedEnvironment
    private let uploads: UploadGuard

    /// Throws `tooManyUploads` if a limit is reached.
    package init(
        of login: String, in environment: ServedEnvironment, _ uploads: UploadGuard
    ) throws {
        try uploads.enter(login, in: environment)
        self.login = login
        self.environment = environment
        self.uploads = uploads
    }

    deinit { uploads.leave(login, in: environment) }
}
