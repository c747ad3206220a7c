import SyncServer

/// How often clients may do what others pay for. Each process counts by itself; the wires at both
/// addresses count together.
package struct ParseAllowances: Sendable {
    /// By network address. Each account is a share of everything that is limited by user.
    let signUps: RequestAllowance
    /// By login. An answer tells whether somebody has a mail address.
    let mailChanges = RequestAllowance(max: 20, seconds: 3600)

    /// - Parameter signUpsPerHour: The accounts that clients at one address may try to make.
    package init(signUpsPerHour: Int = 200) {
        signUps = RequestAllowance(max: signUpsPerHour, seconds: 3600)
    }
}
