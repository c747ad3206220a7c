import SyncServer

/// How often clients may do what others pay for. Each process counts by itself.
struct ParseAllowances: Sendable {
    /// By network address. Each account is a share of everything that is limited by user.
    let registrations = RequestAllowance(max: 200, seconds: 3600)
    /// By login. An answer tells whether somebody has a mail address.
    let mailChanges = RequestAllowance(max: 20, seconds: 3600)
}
