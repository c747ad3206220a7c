/// The limits of the administration of a database.
package enum AdministrationLimits {
    package static let operators = 1000
    package static let sessionsOfOperator = 20
    package static let tokens = 1000
    /// Entries of a list in one response.
    package static let page = 200
    /// Entries of the list of devices in one response: they are small, and an order by the day of
    /// the last request needs many of them.
    package static let devicesPage = 1000
    /// Size of a request, without definitions.
    package static let bodyBytes = 16 << 10
    /// Size of each text of an activity; the rest is cut off.
    package static let activityTextBytes = 2048
    /// Time for which activities are kept.
    package static let activityDays = 400
    package static let drafts = 100
    /// Versions up to which further ones are imported; deployments add theirs beyond.
    package static let versions: Int64 = 10_000
    package static let tagBytes = 64
    package static let noteBytes = 2000
    /// A session that is not used for so long ends.
    package static let idleSeconds: Int64 = 12 * 3600
    /// A password counts for what needs it again for so long.
    package static let confirmationSeconds: Int64 = 300
    /// Validity of the token for the first operator.
    package static let setupSeconds: Int64 = 1800
    package static let longestTokenDays = 3650
    /// Records of a model beyond which they are not counted.
    package static let countedRecords = 100_000
    /// Problems of rows that an import tells; further ones are only counted.
    package static let importProblems = 1000
    /// Time after which a simulation begins no further history. The search for the shortest history
    /// with a violation ends after as long.
    package static let simulationSeconds = 60
    /// The seconds after which a stream of events asks again whether it may continue.
    package static let pulseSeconds = 5
}
