import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing

/// Changes of clients that know no revisions.
@Suite("Changes of the present state, additions and whole batches")
struct PresentChangeTests {
    @Test(arguments: stores) func updateMeetsNoConflict(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["title": "old"])
        for title in ["a", "b"] {
            let outcomes = try await desk.push(
                [.update(1, ["title": .value(.text(title))])], by: title)
            #expect(outcomes.map(\.kind) == [.accepted])
        }
        #expect(try await desk.value("title", of: 1) == "b")
    }

    /// Two records written in one millisecond, one of them twice; then a change without an effect.
    @Test(arguments: stores) func pushTellsStampsThatFindsShow(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(3)
        let stamps = try await desk.stamps(of: [
            .counter(1), .counter(2), .update(1, ["count": .value(.integer(2))]),
            .update(4, ["count": .value(.integer(2))]),
        ])
        #expect(stamps.count == 2)
        for number in 1...2 {
            #expect(stamps[counterGuid(number)] == (try await desk.found(number)?.changedAt))
        }
        #expect(Set(stamps.values).count == 2)
        let same = Change.update(1, ["count": .value(.integer(2))])
        #expect(try await desk.stamps(of: [same]).isEmpty)
    }

    /// The base would be the state before the first change of the batch.
    @Test(arguments: stores) func batchFollowsItself(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let outcomes = try await desk.push([
            .counter(1, ["count": .value(.integer(1))]),
            .update(1, ["count": .added(.integer(2))]),
            .update(1, ["count": .added(.integer(4))]),
        ])
        #expect(outcomes.map(\.kind) == [.accepted, .accepted, .accepted])
        #expect(try await desk.value("count", of: 1) == 7)
    }

    /// Its revision too, if the change names one.
    @Test(arguments: stores) func questionNeedsRecord(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        for number in [1, 3] { try await desk.make(number) }
        _ = try await desk.push([.update(3, ["count": .value(.integer(1))]), .deletion(1)])
        for (number, base, reason) in [
            (1, nil, .change(.recordDeleted)), (2, nil, .change(.recordUnknown)), (3, nil, nil),
            (3, 2, nil), (3, 1, .change(.stale(revision: 2))),
        ] as [(Int, Int64?, Cause.Reason?)] {
            let outcome = try await desk.push([.question(number, base)], by: "b")[0]
            #expect(outcome.causes.map(\.reason) == (reason.map { [$0] } ?? []))
            #expect(outcome.revision == (reason == nil ? 2 : nil))
        }
    }

    /// It is all that a question leaves, for as long as a repeat is to be known.
    @Test(arguments: stores) func answerIsForgottenInTime(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        let question = Change.question(1)
        _ = try await desk.push([question])
        #expect(try await desk.found(1)?.record.revision == 1)
        _ = try await desk.push([.deletion(1)])
        #expect(try await desk.push([question]).map(\.kind) == [.accepted])
        for (milliseconds, count) in [(100_001, 0), (100_002, 3)] as [(Int64, Int)] {
            let moment = Instant(milliseconds: milliseconds)
            #expect(try await desk.engine.sweepOutcomes(at: moment) == count)
        }
        #expect(try await desk.causes(of: question) == [Cause(.change(.recordDeleted))])
    }

    /// A repeat of a request may have changes that the first had not.
    @Test(arguments: stores) func partOfRepeatHasNoEffect(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        for number in [1, 2] { try await desk.make(number) }
        let question = Change.question(1)
        let count = ["count": GivenValue.value(.integer(7))]
        for value in [7, 1] as [JSONValue] {
            let outcomes = try await desk.push([
                question, .update(2, count, partOf: question.id),
            ])
            #expect(outcomes.map(\.kind) == [.accepted, .accepted])
            #expect(try await desk.value("count", of: 2) == value)
            _ = try await desk.push([.update(2, ["count": .value(.integer(1))])])
        }
    }

    @Test(arguments: stores) func deletedRecordIsNotChanged(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        #expect(try await desk.push([.deletion(1)]).map(\.kind) == [.accepted])
        for change in [Change.deletion(1), .update(1, ["count": .value(.integer(1))])] {
            #expect(try await desk.causes(of: change) == [Cause(.change(.recordDeleted))])
        }
        #expect(try await desk.causes(of: .deletion(2)) == [Cause(.change(.recordUnknown))])
    }

    // MARK: - Additions

    /// Each is decided on what the one before it wrote; a copy of one is not added again.
    @Test(arguments: stores) func additionsOfManyAddUp(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                let change = Change.update(1, ["count": .added(.integer(1))])
                group.addTask {
                    for _ in 1...2 { _ = try await desk.push([change], by: "\(number % 3)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await desk.value("count", of: 1) == 20)
    }

    /// Each is made on what the one before it wrote, and a copy of one is not made again.
    @Test(arguments: stores) func editsOfManyAreAllMade(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                let edits = [
                    JSONEdit(path: ["all"], .append([.integer(Int64(number))])),
                    JSONEdit(path: ["count"], .increment(1)),
                    JSONEdit(path: ["by", "\(number)"], .set("x")),
                ]
                let change = Change.update(1, ["meta": .edited(edits)])
                group.addTask {
                    for _ in 1...2 { _ = try await desk.push([change], by: "\(number % 3)") }
                }
            }
            try await group.waitForAll()
        }
        guard case .string(let text)? = try await desk.value("meta", of: 1),
            case .object(let meta) = try parseJSON(Array(text.utf8)),
            case .array(let all)? = meta["all"], case .object(let by)? = meta["by"]
        else {
            Issue.record("the edits are lost")
            return
        }
        #expect(Set(all) == Set((1...20).map { .integer($0) }) && all.count == 20)
        #expect(meta["count"] == 20 && by.count == 20)
    }

    /// Decided in the transaction. A copy is told what the first was told.
    @Test(arguments: stores) func resultIsThatOfChange(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        let changes = (1...3).map { _ in Change.update(1, ["count": .added(.integer(1))]) }
        let outcomes = try await desk.push(changes)
        #expect(outcomes.map { $0.results["count"] } == [1, 2, 3])
        _ = try await desk.push([.update(1, ["count": .added(.integer(5))])], by: "b")
        #expect(try await desk.push(changes) == outcomes)
        #expect(outcomes.map(\.madeAt) == [1, 1, 1])
    }

    @Test(arguments: stores) func roundedNumberIsNoChange(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let price = try #require(DecimalNumber("12345678901234567.125"))
        try await desk.make(
            1, ["total": 9_007_199_254_740_993, "price": .string(price.description)])
        let rounded = try #require(DecimalNumber("12345678901234568"))
        let revisions = try await desk.push([
            .update(1, ["total": .value(.integer(9_007_199_254_740_992))]),
            .update(1, ["price": .value(.decimal(rounded))]),
            .update(1, ["total": .value(.integer(9_007_199_254_740_994))]),
            .update(1, ["total": .value(.integer(9_007_199_254_740_992))]),
            .update(1, ["total": .added(.integer(1))]),
        ]).map(\.revision)
        #expect(revisions == [1, 1, 2, 3, 4])
        #expect(try await desk.value("price", of: 1) == .string(price.description))
        #expect(try await desk.value("total", of: 1) == 9_007_199_254_740_993)
    }

    /// Each edit parses and keeps the present value while other writers wait.
    @Test(arguments: stores) func manyEditsOfLargeValueAreTooMuch(_ kind: StoreKind) async throws {
        let text = "[\"\(String(repeating: "x", count: 96))\"]"
        var limits = Limits()
        limits.editedBytes = 2 * text.utf8.count
        let desk = try await CounterDesk(kind, limits: limits)
        try await desk.make(1, ["meta": .string(text)])
        func edits(_ count: Int) -> [Change] {
            (0..<count).map { _ in
                Change.update(1, ["meta": .edited([JSONEdit(path: [], .removeElements([1]))])])
            }
        }
        #expect(try await desk.push(edits(1)).map(\.kind) == [.accepted])
        #expect(try await desk.push(edits(2)).map(\.kind) == [.accepted, .accepted])
        await #expect(throws: SyncError.tooMuchToRead) { try await desk.push(edits(3)) }
    }

    /// One change has a number of its own.
    @Test(arguments: stores) func manyEditsOfNothingAreTooMuch(_ kind: StoreKind) async throws {
        var limits = Limits()
        limits.editedBytes = 10_000
        let desk = try await CounterDesk(kind, limits: limits)
        try await desk.make(1)
        try await desk.make(2)
        func edit(_ number: Int, _ count: Int) -> Change {
            let edits = (0..<count).map { _ in JSONEdit(path: ["a"], .increment(1)) }
            return .update(number, ["meta": .edited(edits)])
        }
        #expect(try await desk.push([edit(1, 1000)]).map(\.kind) == [.accepted])
        let causes = try await desk.causes(of: edit(1, 1001))
        #expect(causes.map(\.reason) == [.wrongType(expected: .text)])
        await #expect(throws: SyncError.tooMuchToRead) {
            try await desk.push([edit(1, 100), edit(2, 100)])
        }
        #expect(try await desk.value("meta", of: 1) == #"{"a":1000}"#)
    }

    @Test(arguments: stores) func editIsLimitedAndSeen(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["meta": "[1]", "hidden": "[1]"])
        let add = { (value: JSONValue) in
            GivenValue.edited([JSONEdit(path: [], .append([value]))])
        }
        for (field, value, reason) in [
            (
                "meta", add(.string(String(repeating: "x", count: 1000))),
                Cause.Reason.limit(.tooManyBytes(max: 1000))
            ),
            ("meta", .edited([JSONEdit(path: ["a"], .set(1))]), .wrongType(expected: .text)),
            ("hidden", add(2), .notGranted(.read, level: .none)),
            ("title", add(2), .wrongType(expected: .text)),
        ] {
            let causes = try await desk.causes(of: .update(1, [field: value]))
            #expect(causes.map(\.reason).contains(reason), "\(field)")
        }
        #expect(try await desk.value("meta", of: 1) == "[1]")
    }

    /// The same JSON in another text is the same value, so that it is no change.
    @Test(arguments: stores) func jsonIsStoredInOneText(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["meta": #"{ "b": 1.0, "a": [] }"#])
        let text = #"{"a":[],"b":1}"#
        #expect(try await desk.value("meta", of: 1) == .string(text))
        for (given, revision) in [(#"{"b":1,"a":[]}"#, 1), (text, 1), ("[]", 2)] {
            let outcomes = try await desk.push([.update(1, ["meta": .value(.text(given))])])
            #expect(outcomes.map(\.revision) == [Int64(revision)])
        }
    }

    @Test(arguments: stores) func sumIsExactAndLimited(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["price": "0.1"])
        let amount = FieldValue.decimal(try #require(DecimalNumber("0.2")))
        _ = try await desk.push([.update(1, ["price": .added(amount)])])
        #expect(try await desk.value("price", of: 1) == "0.3")
        let causes = try await desk.causes(of: .update(1, ["count": .added(.integer(101))]))
        #expect(
            causes.map(\.reason) == [.limit(.lessThanOrEqualTo(DecimalNumber(100)))])
        #expect(try await desk.value("count", of: 1) == .null)
        let most = try await desk.causes(
            of: .update(1, ["total": .added(.integer(.max))]), after: ["total": .integer(1)])
        #expect(most.map(\.reason) == [.wrongType(expected: .integer)])
    }

    /// A sum, or that there is none, would tell the value.
    @Test(arguments: stores) func hiddenValueTakesNoAddition(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        let causes = try await desk.causes(of: .update(1, ["secret": .added(.integer(1))]))
        #expect(causes.map(\.reason) == [.notGranted(.read, level: .none)])
    }

    // MARK: - Whole batches

    @Test(arguments: stores) func wholeBatchIsAllOrNothing(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let bad = Change.update(9, ["count": .value(.integer(1))])
        let failed = try await desk.push([.counter(1), bad], isWhole: true)
        #expect(failed.map(\.kind) == [.accepted, .refused])
        #expect(try await desk.value("count", of: 1) == nil)
        let done = try await desk.push([.counter(1), .counter(2)], isWhole: true)
        #expect(done.map(\.kind) == [.accepted, .accepted])
        #expect(try await desk.value("count", of: 2) == .null)
    }

    /// A failed batch leaves no outcome, so that it can be sent again.
    @Test(arguments: stores) func failedBatchCanBeRepeated(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let batch = [Change.counter(1), .update(2, ["count": .value(.integer(1))])]
        #expect(try await desk.push(batch, isWhole: true).map(\.kind) == [.accepted, .refused])
        try await desk.make(2)
        #expect(try await desk.push(batch, isWhole: true).map(\.kind) == [.accepted, .accepted])
    }

    // MARK: - Order

    @Test(arguments: stores) func nullIsLeastOnRequest(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["count": 2])
        try await desk.make(2)
        try await desk.make(3, ["count": 1])
        for (descends, beginsWithNull, order) in [
            (false, false, [3, 1, 2]), (true, false, [1, 3, 2]), (false, true, [2, 3, 1]),
            (true, true, [1, 3, 2]),
        ] {
            var query = FindQuery(sort: [
                FindQuery.SortKey("count", descends: descends, beginsWithNull: beginsWithNull)
            ])
            query.limit = 1
            var numbers: [Int] = []
            repeat {
                let page = try await desk.engine.find(query, of: "Counter", for: desk.caller("a"))
                numbers += page.records.compactMap { Int($0.guid.suffix(2)) }
                query.cursor = page.cursor
            } while query.cursor != nil
            #expect(numbers == order)
        }
    }
}
