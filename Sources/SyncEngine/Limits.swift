/// What the engine takes at most. Every one is answered with an error that names it.
package struct Limits: Hashable, Sendable {
    /// Changes in one request, and acknowledged outcomes.
    package var changes = 1000
    /// Records in one answer, when the client asks for that many.
    package var pageRecords = 1000
    /// Records in one answer, when the client does not say.
    package var defaultPageRecords = 100
    /// Records whose conflicts one request may resolve.
    package var resolutions = 500
    /// Of stored text in one answer; a single larger record still comes, alone.
    package var pageBytes = 4 << 20
    /// Of pages that are kept for others who ask for the same; 0 keeps none.
    package var keptPageBytes = 64 << 20
    /// Records looked at for one answer when the asker may not see most of them.
    package var scannedRecords = 10_000
    /// Records looked at to sort or to count them.
    package var siftedRecords = 100_000
    /// How deep conditions of a filter stand in each other.
    package var filterDepth = 10
    package var filterConditions = 100
    /// Values of one `in`.
    package var filterValues = 200
    package var sortKeys = 4
    /// Of a URL, what stands after the question mark: filter, cursor and all.
    package var queryBytes = 16 << 10
    package var changeIDBytes = 128
    /// Open conflicts of one record: everyone who may see it gets them all.
    package var openConflicts = 100
    package var deviceIdentifierBytes = 128
    package var fileBytes: Int64 = 100 << 20
    /// Of all files of one user that no record names, when they are whole.
    package var looseFileBytes: Int64 = 1 << 30
    package var looseFiles = 1000
    /// Records looked at that name a file, to find one that shows it to somebody.
    package var namingRecords = 100
    package var sessionSeconds: Int64 = 30 * 24 * 3600
    /// Wrong passwords in a row before the next attempt has to wait.
    package var freeSignInAttempts = 5
    package var longestSignInWaitSeconds: Int64 = 60
    /// Of what a notification says, as JSON.
    package var notificationBytes = 4 << 10
    /// Logins that a notification names.
    package var notifiedUsers = 500
    /// Of one user, so that nobody is drowned by them.
    package var notificationsPerMinute = 60
    /// Notifications read at a time for whoever listens, and looked at for that.
    package var heardNotifications = 50
    package var scannedNotifications = 1000
    package var pushTokenBytes = 2048
    /// Of the type of a push token.
    package var deviceTypeBytes = 64
    package var pushTokensOfUser = 100
    /// Tokens handed to a delivery at a time.
    package var deliveredTokens = 64

    package init() {}
}

extension Limits {
    /// Fewer for each of many, since others wait meanwhile.
    func namingRecords(ofFiles count: Int) -> Int {
        min(namingRecords, max(10, 2000 / max(1, count)))
    }
}
