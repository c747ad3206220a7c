package import SyncEngine

/// An act of an operator, to be logged.
package struct Activity: Hashable, Sendable {
    /// An operator's name, or another actor with a space in it: `token 3 ci of ann`, `local root`.
    package let actor: String
    /// The network address of the request; empty for the tool.
    package let origin: String
    /// The act, such as `addOperator` or `deploy`.
    package let act: String
    package let environment: String?
    /// The object of the act: the name of an operator, the number of a version.
    package let target: String
    /// The state before and after the act, as JSON; empty if there is none.
    package let before: String
    package let after: String

    /// Long texts are cut off.
    package init(
        actor: String, origin: String, act: String, environment: String? = nil,
        target: String = "", before: String = "", after: String = ""
    ) {
        self.actor = actor
        self.origin = origin
        self.act = act
        self.environment = environment
        self.target = target.cut
        self.before = before.cut
        self.after = after.cut
    }
}

/// An act in the log. Numbers ascend in the order of the acts.
package struct LoggedActivity: Hashable, Sendable {
    package let number: Int64
    package let at: Instant
    package let activity: Activity

    package init(number: Int64, at: Instant, activity: Activity) {
        self.number = number
        self.at = at
        self.activity = activity
    }
}

extension String {
    fileprivate var cut: String {
        let most = AdministrationLimits.activityTextBytes
        guard utf8.count > most else { return self }
        var (kept, bytes) = (Substring(self), 0)
        for index in indices {
            bytes += self[index].utf8.count
            guard bytes <= most - 3 else {
                kept = self[..<index]
                break
            }
        }
        return kept + "…"
    }
}
