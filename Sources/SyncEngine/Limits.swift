/// The limits of the engine. A request beyond a limit fails with an error that names it, or gets a
/// shorter answer.
package struct Limits: Hashable, Sendable {
    /// Changes, and acknowledged outcomes, in one request.
    package var changes = 1000
    /// Steps for matching the texts of several changes in one request against their patterns; see
    /// `PatternBudget` for those of one change.
    package var patternSteps = 20_000_000
    /// Records in one answer, if the client asks for that many.
    package var pageRecords = 1000
    /// Records in one answer, if the client sets no limit.
    package var defaultPageRecords = 100
    /// Bytes of the records that one push of several changes may read.
    package var pushRecordBytes = 16 << 20
    /// Bytes of the fields of one record as they are stored: those that a change sets, or that its
    /// author sees and may update. A change that makes them more is refused.
    package var recordBytes = 8 << 20
    /// Bytes of the fields that a change of an existing record sets which is not refused for that.
    package var smallChangeBytes = 4 << 10
    /// Bytes of present values, each time that one is edited, which a push of several changes may
    /// parse and write while other writers wait. Each edit also keeps the former value. Every
    /// further edit of a value in one change counts `editBytes`.
    package var editedBytes = 4 << 20
    /// Entries of history, and their bytes, that a push reads while other writers wait. Longer
    /// histories are read before.
    package var pushHistoryEntries = 500
    package var pushHistoryBytes = 256 << 10
    /// Entries of history that are read before the transaction of a push of several changes, and
    /// bytes of them that are kept.
    package var scannedHistoryEntries = 200_000
    package var keptHistoryBytes = 8 << 20
    /// The same bytes for a push of one change, which is refused beyond them.
    package var keptHistoryBytesOfOne = 32 << 20
    /// Pushes that read such histories, or keep them until they are decided, and those that wait.
    package var historyReaders = 4
    package var waitingHistoryReaders = 1000
    /// Entries of history, and their bytes, that a push of one whole record reads, and the same of
    /// open conflicts. A record that needs more is refused.
    package var wholeHistoryEntries = 20_000
    package var wholeHistoryBytes = 8 << 20
    /// The same for a push of several whole records. It is divided if they need more.
    package var severalHistoryEntries = 2000
    package var severalHistoryBytes = 1 << 20
    /// Steps for matching the texts of several whole records, which are matched while other writers
    /// wait.
    package var wholePatternSteps = 2_000_000
    /// Records, and their bytes, that are visited to find unseen changes of related records. Beyond
    /// them a related record counts as changed.
    package var relatedRecords = 2000
    package var relatedBytes = 2 << 20
    /// Records whose conflicts one request may resolve.
    package var resolutions = 500
    /// Bytes of stored text in one answer. A single larger record is sent alone.
    package var pageBytes = 4 << 20
    /// Bytes of cached pages; 0 disables the cache.
    package var keptPageBytes = 64 << 20
    /// Records read for one answer if the asker may see few of them.
    package var scannedRecords = 10_000
    /// Bytes of stored text read for one answer. Values of records that the asker may not see are
    /// not read.
    package var scannedBytes = 64 << 20
    /// Records read to sort or to count, and bytes of their visible fields: at most 4 KiB of each
    /// if no field is asked for.
    package var filteredRecords = 100_000
    /// Owners whose records a list in the order of creation merges. Those of more are sorted.
    package var mergedOwners = 1000
    package var filteredBytes = 1 << 30
    /// Bytes of the texts of records that one search looks through for patterns and parts, parses
    /// or computes with. A text counts once for each condition and function that gets it.
    package var searchedBytes = 100_000_000
    /// The nesting depth of a filter.
    package var filterDepth = 10
    package var filterConditions = 100
    /// Values in one `in` condition.
    package var filterValues = 200
    package var sortKeys = 4
    /// Bytes of the query part of a URL, including filter and cursor.
    package var queryBytes = 16 << 10
    package var changeIDBytes = 128
    /// Outcomes that are stored for one device and not acknowledged, and the bytes of their texts.
    package var outcomesOfDevice = 5000
    package var outcomeBytesOfDevice = 8 << 20
    /// The same for all devices of one user.
    package var outcomesOfUser = 20_000
    package var outcomeBytesOfUser = 32 << 20
    /// The same for pushes of clients that acknowledge none, whose outcomes expire.
    package var expiringOutcomesOfUser = 500_000
    package var expiringOutcomeBytesOfUser = 256 << 20
    /// Refusals of one user that tell of a record which the user may not see: the number before the
    /// user has to wait, and how many of them are forgiven in an hour.
    package var freeHiddenClashes = 200
    package var hiddenClashesPerHour = 100
    /// Revisions of one record. It can then only be deleted.
    package var revisions: Int64 = 1_000_000
    /// Bytes of the history of one record, with `HistoryGauge.entryBytes` for each entry. Then it
    /// can only be deleted.
    package var historyBytes = 256 << 20
    /// Bytes that a process adds to the history of a record before it measures the history.
    package var historyStepBytes = 16 << 20
    /// Open conflicts that one user has opened, and the bytes of their sides.
    package var openConflictsOfUser = 10_000
    package var openConflictBytesOfUser = 64 << 20
    /// Open conflicts of one record, and the bytes of their sides. All are sent to everyone who may
    /// see the record.
    package var openConflicts = 100
    package var openConflictBytes = 16 << 20
    /// Bytes of the sides of a conflict that is opened beyond these bytes all the same, so that a
    /// few large ones do not keep others from disagreeing.
    package var smallConflictBytes = 16 << 10
    package var deviceIdentifierBytes = 128
    package var fileBytes: Int64 = 100 << 20
    /// Bytes of all files of one user that no record names, counted at their complete size.
    package var looseFileBytes: Int64 = 1 << 30
    package var looseFiles = 1000
    /// Records that are checked to find one that shows a file to an asker, and their bytes. They
    /// are the closest to the asker of those to which so many links lead.
    package var namingRecords = 100
    package var namingBytes = 16 << 20
    package var namingLinks = 10_000
    /// The same bytes of all files of a push, while other writers wait.
    package var pushNamingBytes = 2 << 20
    /// The maximum of refused data of one user's whole records that is kept, in entries and bytes.
    package var refusalsOfUser = 1000
    package var refusalBytesOfUser = 16 << 20
    /// Users of an environment beyond which clients cannot make accounts.
    package var usersByRegistration = 100_000
    package var sessionSeconds: Int64 = 30 * 24 * 3600
    /// Open sessions of one user. A further one ends the oldest.
    package var sessionsOfUser = 200
    /// Devices of one user that are known. A further one makes the server forget the one that
    /// signed in longest ago.
    package var devicesOfUser = 1000
    /// A device that has not signed in for so long is forgotten.
    package var deviceSeconds: Int64 = 400 * 24 * 3600
    /// Sources of failed sign-ins that are known of one environment. A further one replaces the one
    /// that failed longest ago.
    package var failingSources = 10_000
    /// Consecutive failed attempts before a sign-in has to wait.
    package var freeSignInAttempts = 5
    package var longestSignInWaitSeconds: Int64 = 60
    /// The same for all devices together that have not signed in as the user before, whatever their
    /// addresses. Only the free attempts of each address count, until these are used up.
    package var freeAttemptsOfStrangers = 100
    package var longestWaitOfStrangersSeconds: Int64 = 10
    /// Bytes of the body of a notification, as JSON.
    package var notificationBytes = 4 << 10
    /// Logins that a notification may name.
    package var notifiedUsers = 500
    /// Notifications that one user may send in a minute.
    package var notificationsPerMinute = 60
    /// Notifications of one sender that are kept, and the bytes of their bodies and audiences.
    package var notificationsOfSender = 20_000
    package var notificationBytesOfSender = 32 << 20
    /// Notifications that one read of a listener returns. The next limit is for those it examines.
    package var heardNotifications = 50
    package var scannedNotifications = 1000
    package var pushTokenBytes = 2048
    /// Bytes of the type of a push token.
    package var deviceTypeBytes = 64
    package var pushTokensOfUser = 100
    /// Push tokens of all clients that act as the guest. A further one replaces the oldest.
    package var pushTokensOfGuests = 10_000
    /// The same from one address. A further one replaces the oldest of the address. Many phones
    /// share the address of a mobile network.
    package var pushTokensOfGuestAddress = 500
    /// Push tokens of installations at which nobody has signed in. A further one replaces the
    /// oldest, of the same address if it has as many as one address may have.
    package var waitingPushTokens = 10_000
    package var waitingPushTokensOfAddress = 100
    package var waitingPushTokenSeconds: Int64 = 30 * 24 * 3600
    /// Push tokens that one call of a delivery gets.
    package var deliveredTokens = 64

    package init() {}
}

extension Limits {
    static let editBytes = 64

}
