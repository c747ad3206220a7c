/// What a history is like: how much goes wrong in it, and what. What all have in the same measure
/// hides what only comes of much of the one and nothing of the other.
struct Temper: Sendable {
    let editPercent: Int
    /// How often a device that has synced goes offline for long.
    let leavePercent: Int
    let eventPercent: Int
    let faultPercent: Int
    let faults: [Fate]
    /// How often someone sends what their own rules forbid.
    let recklessPercent: Int
    let creationPercent: Int
    /// How often people change one of few records.
    let quarrelPercent: Int
    let hasSmallPages: Bool
    let events: [Event]

    enum Event: CaseIterable {
        case arrival, answer, endSessions, restart, serverClock, clientClock, sweep, appEnd
        case browse, resolveAll
        case regroup, deploy, reassign

        /// The hard ones come twice as often.
        static let ofRights: [Event] = [.regroup, .deploy, .reassign]
    }

    /// Plain clients keep nothing that could be lost when an app ends.
    init(_ dice: inout Dice, hasApps: Bool) {
        editPercent = dice.one(of: [50, 65, 80]) ?? 65
        leavePercent = dice.one(of: [0, 5, 20]) ?? 5
        eventPercent = dice.one(of: [0, 12, 30]) ?? 12
        faultPercent = dice.one(of: [0, 10, 40]) ?? 10
        recklessPercent = dice.one(of: [0, 2, 15]) ?? 2
        creationPercent = dice.one(of: [6, 12, 35]) ?? 12
        quarrelPercent = dice.one(of: [0, 50, 90]) ?? 50
        hasSmallPages = dice.chance(50)
        faults = dice.some(of: Fate.allCases.filter { $0 != .answered })
        events = dice.some(
            of: Event.allCases.filter { hasApps || $0 != .appEnd } + Event.ofRights)
    }
}
