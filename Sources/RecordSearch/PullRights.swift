import AccessPolicy
import SyncEngine

/// The rights of an asker, present and former, for a pull of a client that knows a time in place of
/// a cursor.
struct PullRights: Sendable {
    let asker: Asker
    /// That of the definition by which records are read.
    let fingerprint: String
    let scans: DepartureScans
    let former: @Sendable ([ReadPolicyChange]) -> PreviousReadPolicies

    func scanQuestion(of change: ReadPolicyChange, in model: String) -> DepartureScans.Question {
        DepartureScans.Question(
            asker: asker, fingerprint: fingerprint, model: model, change: change)
    }
}
