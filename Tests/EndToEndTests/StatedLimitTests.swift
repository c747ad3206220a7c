import Archives
import Foundation
import MobeelizerWire
import SyncEngine
import TestKit
import Testing

@testable import ParseWire

/// Every limit in the code is on the page *Limits*, with its number.
@Suite struct StatedLimitTests {
    private let page: String

    init() throws {
        let path = "Sources/Waggle/Documentation.docc/Limits.md"
        // Wherever lines are broken.
        page = String(decoding: try bytes(ofFile: path), as: UTF8.self).replacing("\n", with: " ")
    }

    /// - Parameter texts: By the name of the limit, a text of the page with `#` for its number.
    private func check(_ limits: [(label: String?, value: Any)], _ texts: [String: String]) {
        #expect(Set(limits.compactMap(\.label)) == Set(texts.keys))
        for (label, value) in limits {
            guard let label, let text = texts[label],
                let number = value as? Int ?? (value as? Int64).map({ Int($0) })
            else { continue }
            let stated = text.replacing(/#(MiB|KiB|GiB|MB|d|h)?/) { match in
                written(number, in: match.1.map { String($0) })
            }
            #expect(page.contains(stated), "\(label): '\(stated)'")
        }
    }

    /// A number in a unit; days and hours are those of seconds.
    private func written(_ number: Int, in unit: String?) -> String {
        switch unit {
        case "KiB": "\(number >> 10) KiB"
        case "MiB": "\(number >> 20) MiB"
        case "GiB": "\(number >> 30) GiB"
        case "MB": "\(number / 1_000_000) MB"
        case "d": "\(number / (24 * 3600))"
        case "h": "\(number / 3600)"
        default: grouped(number)
        }
    }

    private func grouped(_ number: Int) -> String {
        number < 1000
            ? "\(number)"
            : grouped(number / 1000) + "," + "\(1000 + number % 1000)".dropFirst()
    }

    @Test func limitsOfEngineAreStated() {
        check(Array(Mirror(reflecting: Limits()).children), Self.ofEngine)
    }

    @Test func limitsOfArchivesAreStated() {
        check(Array(Mirror(reflecting: ArchiveLimits()).children), Self.ofArchives)
    }

    @Test func limitsOfOriginalClientsAreStated() {
        check(Array(Mirror(reflecting: WireLimits()).children), Self.ofOriginalClients)
    }

    @Test func limitsOfAnswersOfParseAreStated() {
        check(
            [
                ("mostFinds", AnswerBudget.mostFinds), ("mostBytes", AnswerBudget.mostBytes),
                ("mostPointers", AnswerBudget.mostPointers),
            ],
            [
                "mostFinds": "| finds of the engine for one request, with those for subqueries "
                    + "and includes | # |",
                "mostBytes": "| values that they find | #MiB |",
                "mostPointers": "that an `include` replaces, in one page | # |",
            ])
    }

    private static let ofArchives = [
        "entries": "| files in an archive | # |",
        "salvagedEntries": "of which any are taken in, and its index | #, of",
        "directoryBytes": "and its index | 50,000, of #MiB |",
        "nameBytes": "| the name of a file in an archive | # bytes |",
        "entryBytes": "and all of them, unpacked | #MiB,",
        "totalBytes": "unpacked | 256 MiB, #GiB;",
        "expansion": "at most # times the size of the archive",
        "freelyExpandedBytes": "beyond #MiB at most",
    ]

    private static let ofOriginalClients = [
        "archiveBytes": "| an archive | #MiB |",
        "records": "| records in an archive | # |",
        "recordBytes": "| a record in an archive, and what its values need | #MiB,",
        "recordValueBytes": "| a record in an archive, and what its values need | 8 MiB, #MiB |",
        "historyVersions": "in the archive of its history | #, or",
        "historyBytes": "or those that reach #MiB |",
        "deliveredFiles": "| the same, in number | # | storage | none: the same |",
        "deliveredFileBytes": "| the files in one download, in bytes | #,",
    ]
}

extension StatedLimitTests {
    private static let ofEngine = ofPushesAndPulls.merging(ofUsers) { first, _ in first }

    private static let ofPushesAndPulls = [
        "changes": "| changes in a request | # |",
        "patternSteps": "| the same, of several changes | # | time | 413 `tooMuchToMatch` |",
        "pageRecords": "`limit` up to # |",
        "defaultPageRecords": "| records in a response | #,",
        "recordBytes": "or that its author sees and may update | #MiB;",
        "smallChangeBytes": "a change that sets fields of #KiB at most",
        "pushRecordBytes": "| stored records that several changes need | #MiB |",
        "editedBytes": "for each further edit of it in a change | #MiB |",
        "pushHistoryEntries": "that a push reads while others wait | #, of",
        "pushHistoryBytes": "that a push reads while others wait | 500, of #KiB |",
        "scannedHistoryEntries": "| the same before its turn, of several changes | #, of which",
        "keptHistoryBytes": "of which #MiB are kept |",
        "keptHistoryBytesOfOne": "| the same of one change, kept | #MiB |",
        "historyReaders": "or keep them until their turn | #, further ones wait",
        "waitingHistoryReaders": "further ones wait, users take turns; # wait |",
        "wholeHistoryEntries": "| the same of one record | #, of",
        "wholeHistoryBytes": "| the same of one record | 20,000, of #MiB |",
        "severalHistoryEntries": "and open conflicts of its device | # of each,",
        "severalHistoryBytes": "and open conflicts of its device | 2,000 of each, of #MiB |",
        "wholePatternSteps": "of several records of an archive against patterns | # |",
        "relatedRecords": "that are visited for `analyzeConflict` | #, of",
        "relatedBytes": "that are visited for `analyzeConflict` | 2,000, of #MiB |",
        "resolutions": "| records whose conflicts one request resolves | # |",
        "pageBytes": "| stored text in a response | #MiB;",
        "keptPageBytes": "| cached pages of each environment | #MiB,",
        "scannedRecords": "| records scanned for a response | # |",
        "scannedBytes": "that the user may not see are not read | #MiB |",
        "filteredRecords": "| records scanned to sort or to count | # |",
        "mergedOwners": "| owners whose records a list in the order of creation merges | # |",
        "filteredBytes": "at most 4 KiB of each if no field is asked for | #GiB |",
        "searchedBytes": "once for each condition and function | #MB |",
        "filterDepth": "| conditions of a filter, and their nesting | 100, # |",
        "filterConditions": "| conditions of a filter, and their nesting | #,",
        "filterValues": "| values of an `in`, or of a list of an `inside` | # |",
        "sortKeys": "| sort keys | # |",
        "queryBytes": "the limit of the head | #KiB |",
        "changeIDBytes": "| the id of a change | # bytes |",
        "outcomesOfDevice": "| outcomes that a device has not acknowledged | #, of",
        "outcomeBytesOfDevice": "that a device has not acknowledged | 5,000, of #MiB |",
        "outcomesOfUser": "| the same of all devices of a user | #, of",
        "outcomeBytesOfUser": "| the same of all devices of a user | 20,000, of #MiB |",
        "expiringOutcomesOfUser": "acknowledge none, until they expire | #, of",
        "expiringOutcomeBytesOfUser": "until they expire | 500,000, of #MiB |",
        "freeHiddenClashes": "which the user may not see | # at once,",
        "hiddenClashesPerHour": "at once, then #, `maxHiddenClashesPerHour` |",
        "revisions": "| revisions of a record | # |",
        "historyBytes": "| the history of a record, with 200 bytes for each entry | #MiB |",
        "historyStepBytes": "A history is measured after every #MiB that",
        "openConflictsOfUser": "| open conflicts that a user has opened | #, of",
        "openConflictBytesOfUser": "that a user has opened | 10,000, of #MiB |",
        "openConflicts": "| open conflicts of a record | #, `maxOpenConflicts`, of",
        "openConflictBytes": "| open conflicts of a record | 100, `maxOpenConflicts`, of #MiB;",
        "smallConflictBytes": "beyond these bytes, those with #KiB at most in all their sides",
    ]

    private static let ofUsers = [
        "deviceIdentifierBytes": "| a device identifier | 1 to # bytes",
        "fileBytes": "| a file, in bytes | #, `maxFileBytes` |",
        "looseFileBytes": "that no record names, in bytes | #, `maxLooseFileBytes` |",
        "looseFiles": "| the same, in number | # | storage | 429",
        "namingRecords": "those closest to the asker first | #, of",
        "namingBytes": "those closest to the asker first | 100, of #MiB, among",
        "namingLinks": "100, of 16 MiB, among # that name it |",
        "pushNamingBytes": "at least 10 for each file, of #MiB, among",
        "refusalsOfUser": "| refused data of a user | # entries,",
        "refusalBytesOfUser": "| refused data of a user | 1,000 entries, of #MiB |",
        "usersByRegistration": "see `parseAccounts` | # |",
        "sessionSeconds": "| a session, in hours | #h, `sessionHours` |",
        "sessionsOfUser": "| sessions of a user | # |",
        "devicesOfUser": "| known devices of a user | #,",
        "deviceSeconds": "| known devices of a user | 1,000, for #d days",
        "failingSources": "| sources of wrong passwords that an environment knows | # |",
        "freeSignInAttempts": "or of the other devices of an address | #, then",
        "longestSignInWaitSeconds": "then a wait of 1 s, doubled up to # s;",
        "freeAttemptsOfStrangers": "that have not signed in as the user before | #, then",
        "longestWaitOfStrangersSeconds": "then one attempt every # s;",
        "notificationBytes": "| a notification | #KiB |",
        "notifiedUsers": "| logins that a notification names | # |",
        "notificationsPerMinute": "| notifications of one user per minute | #,",
        "notificationsOfSender": "| stored notifications of a user | #, of",
        "notificationBytesOfSender": "| stored notifications of a user | 20,000, of #MiB |",
        "heardNotifications": "that one read of a listener returns, and examines | #,",
        "scannedNotifications": "that one read of a listener returns, and examines | 50, # |",
        "pushTokenBytes": "| a push token, and its type | # and",
        "deviceTypeBytes": "| a push token, and its type | 2,048 and # bytes |",
        "pushTokensOfUser": "| push tokens of one user | # |",
        "pushTokensOfGuests": "that act as the guest | # | storage |",
        "pushTokensOfGuestAddress": "| the same of guests at one address | # | the tokens",
        "waitingPushTokens": "each of 2,148 bytes at most | # |",
        "waitingPushTokensOfAddress": "| the same from one address | # | the tokens",
        "waitingPushTokenSeconds": "| the time for which they wait, in days | #d |",
        "deliveredTokens": "| push tokens that one call of a delivery gets | # |",
    ]
}
