/// The parameters of a history: how often things go wrong, and which. They vary between histories,
/// because some faults show only with much of one kind of event and none of another.
struct Workload: Sendable {
    let editPercent: Int
    /// How often a device goes offline for long after a sync.
    let leavePercent: Int
    let eventPercent: Int
    let faultPercent: Int
    let faults: [DeliveryFault]
    /// How often a user sends what the device's own rules forbid.
    let uncheckedPercent: Int
    let creationPercent: Int
    /// How often users edit one of a few records.
    let contentionPercent: Int
    let hasSmallPages: Bool
    /// How often a client pulls by time.
    let pullPercent: Int
    let events: [Event]

    enum Event: CaseIterable {
        case arrival, answer, endSessions, restart, serverClock, clientClock, sweep, appEnd
        case browse, resolveAll, foreignPush
        case regroup, deploy, reassign

        /// These are the most demanding, and twice as frequent.
        static let ofRights: [Event] = [.regroup, .deploy, .reassign]
    }

    /// A minimal client keeps no state that could be lost when an app ends, so `appEnd` needs apps.
    init(_ random: inout SeededRandom, hasApps: Bool) {
        editPercent = random.one(of: [50, 65, 80]) ?? 65
        leavePercent = random.one(of: [0, 5, 20]) ?? 5
        eventPercent = random.one(of: [0, 12, 30]) ?? 12
        faultPercent = random.one(of: [0, 10, 40]) ?? 10
        uncheckedPercent = random.one(of: [0, 2, 15]) ?? 2
        creationPercent = random.one(of: [6, 12, 35]) ?? 12
        contentionPercent = random.one(of: [0, 50, 90]) ?? 50
        hasSmallPages = random.chance(50)
        pullPercent = 10
        faults = random.some(of: DeliveryFault.allCases.filter { $0 != .answered })
        events = random.some(
            of: Event.allCases.filter { hasApps || $0 != .appEnd } + Event.ofRights)
    }
}
