/// The accounts that clients of Parse may make and change.
package enum ParseAccounts: Hashable, Sendable {
    /// Nothing: the operator makes and changes them.
    case none
    /// Users change their password and mail address, and leave.
    case own
    /// Also, whoever signs up becomes a user of a group.
    case signUp(group: String)

    var allowsChanges: Bool { self != .none }

    /// Nil if nobody may sign up.
    var group: String? {
        switch self {
        case .none, .own: nil
        case .signUp(let group): group
        }
    }
}
