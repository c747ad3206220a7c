import ChangeRules
import DefinitionModel
import EngineKit
import Foundation
import JSON
import NativeCalls
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine

/// The JSON formats in databases, which must stay readable.
///
/// `UPDATE_GOLDEN=1` rewrites the files of the current version; files of earlier versions never
/// change.
@Suite struct StoredFormatTests {
    @Test func outcomesReadAsTheyWereStored() throws {
        for outcome in everyOutcome {
            let stored = StoredOutcome(outcome, of: outcome.changeID)
            #expect(try stored.outcome() == outcome)
        }
    }

    /// A repeat of such a change is told the present value.
    @Test func largeResultIsNotStored() throws {
        var outcome = added
        outcome.results = ["title": .string(String(repeating: "x", count: 4096))]
        let stored = try StoredOutcome(outcome, of: outcome.changeID).outcome()
        #expect(stored.results.isEmpty && stored.madeAt == outcome.madeAt)
    }

    @Test func everyKindAndReasonIsTried() {
        #expect(Set(everyOutcome.map(\.kind)) == Set(Outcome.Kind.allCases))
        let codes = everyReason.map { CauseDescription(Cause($0)).code }
        #expect(Set(codes).count == codes.count - 3, "three of the limits share a code")
    }

    @Test func storedOutcomesAreGolden() throws {
        let lines = everyOutcome.map { StoredOutcome($0, of: $0.changeID).text }
        try compare(lines, with: "outcomes-2.txt")
    }

    @Test func storedConflictsAreGolden() throws {
        let lines = everyConflict.map { StoredConflict.text(of: $0) }
        try compare(lines, with: "conflicts-2.txt")
        for (conflict, line) in zip(everyConflict, lines) {
            #expect(try StoredConflict.conflict(in: line) == conflict)
        }
    }

    @Test func storedCausesAreGolden() throws {
        let lines = everyReason.map { StoredCauses.text(of: [Cause($0, field: "title")]) }
        try compare(lines, with: "causes-2.txt")
        for (reason, line) in zip(everyReason, lines) {
            #expect(try StoredCauses.causes(in: line) == [Cause(reason, field: "title")])
        }
    }

    @Test func storedFillsAreGolden() throws {
        let lines = everyFill.map(\.text)
        try compare(lines, with: "fills-2.txt")
        #expect(try lines.map { try DeploymentFill(text: $0) } == everyFill)
    }

    /// Version 1 had no `version` member.
    @Test func fillsOfVersion1ReadAsTheyWere() throws {
        let lines = try lines(of: "fills-1.txt")
        #expect(try lines.map { try DeploymentFill(text: $0) } == everyFill)
    }

    @Test(arguments: [
        "", "[]", #"{"done":true,"filled":1,"position":1,"unfilled":0}"#,
        #"{"done":true,"filled":-1,"position":1,"rules":[],"unfilled":0}"#,
        #"{"done":true,"filled":1,"position":1,"rules":[{}],"unfilled":0}"#,
        #"{"done":true,"filled":1,"position":1,"rules":[],"unfilled":0,"version":3}"#,
    ])
    func damagedFillIsUnreadable(text: String) {
        #expect(throws: StoreError.self) { try DeploymentFill(text: text) }
    }

    /// Version 1 stored messages of the native wire. A repeated change gets the same message.
    @Test func outcomesOfVersion1AreAnsweredAsTheyWere() throws {
        for line in try lines(of: "outcomes-1.txt") {
            let message = try decodeMessage(OutcomeMessage.self, from: Array(line.utf8))
            let stored = StoredOutcome(changeID: message.id, text: line)
            let outcome = try stored.outcome()
            #expect(OutcomeMessage(outcome) == message)
            #expect(try StoredOutcome(outcome, of: message.id).outcome() == outcome)
        }
    }

    @Test func conflictsOfVersion1ReadAsTheyWere() throws {
        for line in try lines(of: "conflicts-1.txt") {
            let message = try decodeMessage(ConflictMessage.self, from: Array(line.utf8))
            #expect(ConflictMessage(try StoredConflict.conflict(in: line)) == message)
        }
    }

    @Test(arguments: [
        "", "7", "[]", "{}", #"{"version":2}"#, #"{"version":"2"}"#,
        #"{"version":3,"kind":"accepted","model":"Note","guid":"g"}"#,
        #"{"version":2,"kind":"eaten","model":"Note","guid":"g"}"#,
        #"{"version":2,"kind":"refused","model":"Note","guid":"g","causes":[{"code":"odd"}]}"#,
        #"{"version":2,"kind":"refused","model":"Note","guid":"g","causes":[{"code":"stale"}]}"#,
        #"{"version":2,"kind":"refused","model":"Note","guid":"g","causes":["empty"]}"#,
        #"{"version":2,"kind":"accepted","model":"Note","guid":"g","revision":"1"}"#,
        #"{"outcome":"refused","model":"Note","guid":"g","causes":[{"code":"empty"}]}"#,
    ])
    func damagedTextIsUnreadable(text: String) {
        #expect(throws: StoreError.self) {
            try StoredOutcome(changeID: "c", text: text).outcome()
        }
        #expect(throws: StoreError.self) { try StoredConflict.conflict(in: text) }
    }
}

// MARK: - Golden files

private func path(_ name: String) -> String {
    repositoryPath("Tests/SyncEngineTests/Golden/\(name)")
}

private func lines(of name: String) throws -> [String] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n")
        .map(String.init)
}

private func compare(_ texts: [String], with name: String) throws {
    let text = texts.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOfFile: path(name), encoding: .utf8)
    #expect(text == kept, "set UPDATE_GOLDEN=1 and look at the difference")
}

// MARK: - Samples

private let everyReason: [Cause.Reason] =
    [
        .empty, .notUnique, .wrongType(expected: .decimal),
        .notFound(guid: guid(1), model: "Folder"), .fileNotYours(guid: guid(2)),
        .notGranted(.update, level: .own), .unknownModel("Nota"), .unknownField("titel"),
        .recorded(RecordedReason(code: "old", message: "in old words", argument: "7")),
        .recorded(RecordedReason(code: "older", message: "in older words", argument: nil)),
    ] + everyLimit.map(Cause.Reason.limit) + everyFault.map(Cause.Reason.change)

private let everyLimit: [LimitViolation] = [
    .tooLong(max: 5), .tooShort(min: 2), .notAllowed(values: ["a", "b|c"]),
    .greaterThan(DecimalNumber(0)), .greaterThanOrEqualTo(DecimalNumber(1)),
    .lessThan(DecimalNumber(9)), .lessThanOrEqualTo(DecimalNumber(5)),
    .tooEarly(minMilliseconds: -1), .tooLate(maxMilliseconds: 1 << 40),
    .tooManyFractionDigits(max: 2), .illegalCharacter, .patternTooCostly(maxSteps: 7),
    .wrongFormat(.json), .wrongFormat(.base64), .tooManyBytes(max: 9),
]

private let everyFault: [ChangeFault] = [
    .illegalChangeID(maxBytes: 64), .changeIDReused, .illegalGuid, .guidTaken, .unexpectedFields,
    .recordUnknown, .recordDeleted, .baseMissing, .baseUnknown, .notConflicted, .resolutionStale,
    .stale(revision: 12), .dependsOnRefused(changeID: "create-1"), .tooEntangled,
    .tooManyConflicts(max: 100), .tooManyOwnConflicts(max: 1000), .tooManyRevisions(max: 9),
    .tooMuchHistory(maxBytes: 256), .recordTooLarge(maxBytes: 256),
]

private let everyOutcome: [Outcome] =
    [
        Outcome(changeID: "a", kind: .accepted, model: "Note", guid: guid(1), revision: 1),
        Outcome(changeID: "m", kind: .merged, model: "Note", guid: guid(1), revision: 3),
        Outcome(changeID: "c", kind: .conflicted, model: "Note", guid: guid(1), revision: 4),
        Outcome(changeID: "d", kind: .discarded, model: "Note", guid: guid(1), revision: 4),
        Outcome(
            changeID: "o", kind: .accepted, model: "Note", guid: guid(1), revision: 5,
            overwrote: 4),
    ]
    + everyReason.enumerated().map { number, reason in
        Outcome(
            changeID: "r-\(number)", kind: .refused, model: "Note", guid: guid(1),
            causes: [
                Cause(reason), Cause(reason, field: "title", place: .init(line: 3, column: 9)),
            ]
        )
    } + [added]

private let added = {
    var outcome = Outcome(
        changeID: "s", kind: .accepted, model: "Note", guid: guid(1), revision: 6)
    outcome.madeAt = 1_000
    outcome.results = ["price": "1.5", "score": 5, "title": "[1]"]
    return outcome
}()

private let everyFill: [DeploymentFill] = {
    let rules = [
        FillRule(model: "Note", field: "status", source: .constant("open")),
        FillRule(model: "Note", field: "title", source: .field("subject")),
        FillRule(model: "Note", field: "score", source: .defaultValue),
    ]
    var going = DeploymentFill(rules)
    (going.position, going.filled, going.unfilled) = (12, 7, 1)
    var done = going
    done.isDone = true
    return [DeploymentFill([]), going, done]
}()

private let everyConflict: [RecordConflict] = [
    RecordConflict(
        revision: 4, baseRevision: 2,
        base: .init(isDeleted: false, fields: ["title": "Solaris", "score": .null]),
        mine: .init(
            isDeleted: false, fields: ["title": "Stalker", "score": 5], login: "b",
            deviceCategory: "mobile", at: 1_000),
        theirs: .init(
            isDeleted: false, fields: ["title": "Mirror", "score": 4], login: "a",
            deviceCategory: "web", at: 999)),
    RecordConflict(
        revision: 9, baseRevision: 1, base: .init(isDeleted: false, fields: [:]),
        mine: .init(isDeleted: true, fields: [:], login: "b", deviceCategory: "mobile", at: 1_000),
        theirs: .init(isDeleted: false, fields: [:]), isRelated: true),
]
