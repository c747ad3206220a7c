import SyncEngine

/// The rights of an asker, present and former, for a pull of a client that knows a time in place of
/// a cursor.
struct PullRights: Sendable {
    let login: String
    let former: @Sendable ([ReadPolicyChange]) -> PreviousReadPolicies
}
