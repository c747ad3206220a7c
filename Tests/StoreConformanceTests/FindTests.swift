import JSON
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("Every store finds the same records")
struct FindTests {
    /// The result does not depend on how a store searches, or on its scan limits.
    @Test(arguments: seeds(60))
    func anyQuestionGetsTheSameAnswer(seed: UInt64) async throws {
        var random = RandomFinds(seed: seed)
        var limits = Limits()
        if seed % 2 > 0 {
            limits.filteredRecords = random.number(in: 2...10)
            limits.scannedRecords = random.number(in: 1...5)
        }
        var desks: [FindDesk] = []
        for kind in stores { desks.append(try await FindDesk(kind, limits: limits)) }
        for change in random.changes() {
            for desk in desks { try await desk.push(change.message, by: change.author) }
        }
        for _ in 0..<100 {
            let question = random.question()
            var request = question.request
            repeat {
                let expected = await desks[0].answer(to: request, for: question.asker)
                for (kind, desk) in zip(stores, desks).dropFirst() {
                    let answer = await desk.answer(to: request, for: question.asker)
                    try #require(
                        answer == expected, "\(kind.testDescription): \(question)")
                }
                request.cursor = (try? expected.get())?.cursor
            } while request.cursor != nil
        }
    }

    /// With a narrowing condition, for which the order of candidates is undefined, and without one.
    @Test(arguments: stores)
    func deletedRecordsAreFoundOnlyInConflict(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        for number in 1...3 {
            let fields: [String: JSONValue] = [
                "code": .string("\(number)"), "parent": .string(noteGuid(number)),
            ]
            try await desk.push(.create(number, fields), by: .ann)
        }
        try await desk.push(.delete(1, from: 1), by: .ann)
        try await desk.push(.delete(2, from: 1), by: .ann)
        try await desk.push(.update(2, from: 1, ["text": "disputed"]), by: .bob)
        let guids = (1...3).map { "\"\(noteGuid($0))\"" }.joined(separator: ",")
        for filter in [
            #"{"or": [{"null": "text"}, {"not": {"null": "text"}}]}"#,
            #"{"in": ["$guid", [\#(guids)]]}"#, #"{"in": ["parent", [\#(guids)]]}"#,
            #"{"in": ["code", ["1", "2", "3"]]}"#,
        ] {
            for sort in [[], [FindRequest.SortMessage("code")]] {
                let request = FindRequest(filter: try FindRequest.Filter(filter), sort: sort)
                let answer = try await desk.answer(to: request, for: .ann).get()
                #expect(answer.records.map(\.guid) == [noteGuid(2), noteGuid(3)], "\(filter)")
                #expect(answer.records.first?.conflicts?.count == 1)
            }
        }
    }

    /// Notes of all groups, of the user's group, and of the user. Each page starts within the notes
    /// of an owner. Updates do not alter the order of creation.
    @Test(arguments: stores)
    func withoutOrderNotesComeByGroupOwnerAndCreation(_ kind: StoreKind) async throws {
        let numbers = 1...99
        let authors: [FindPerson] = [.bob, .gil, .ann]
        func written(by author: FindPerson) -> [Int] {
            numbers.filter { authors[$0 % 3] == author }
        }
        for looks in [7, 10_000] {
            var limits = Limits()
            limits.scannedRecords = looks
            let desk = try await FindDesk(kind, limits: limits)
            for number in numbers {
                try await desk.push(.create(number, ["text": "a"]), by: authors[number % 3])
            }
            try await desk.push(.update(5, from: 1, ["text": "b"]), by: .ann)
            let everything = [FindPerson.gil, .ann, .bob].flatMap(written(by:))
            let hasText = #"{"not": {"null": "text"}}"#
            for (filter, asker, numbers) in [
                (nil, .ann, everything), (nil, .gil, written(by: .gil)),
                (hasText, .ann, written(by: .ann)), (hasText, .bob, written(by: .bob)),
            ] as [(String?, FindPerson, [Int])] {
                for limit in [3, 40, 99] {
                    let found = try await desk.guids(filter, limit: limit, for: asker)
                    #expect(found == numbers.map(noteGuid), "\(filter ?? "all") for \(asker)")
                }
            }
        }
    }

    /// Also if they are found by their values, in whatever order a store finds them.
    @Test(arguments: stores)
    func equalRecordsAreOrderedByCreation(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        for number in 1...9 {
            let fields: [String: JSONValue] = [
                "text": "a", "code": .string("\(10 - number)"), "parent": .string(noteGuid(1)),
            ]
            try await desk.push(.create(number, fields), by: .ann)
        }
        try await desk.push(.update(1, from: 1, ["text": "b"]), by: .ann)
        try await desk.push(.update(1, from: 2, ["text": "a"]), by: .ann)
        let guids = (1...9).map { "\"\(noteGuid($0))\"" }.joined(separator: ",")
        let codes = (1...9).map { "\"\($0)\"" }.joined(separator: ",")
        for filter in [
            nil, #"{"in": ["$guid", [\#(guids)]]}"#, #"{"in": ["code", [\#(codes)]]}"#,
            #"{"eq": ["parent", "\#(noteGuid(1))"]}"#,
        ] {
            for sort in ["text", "-text", "$owner"] {
                for limit in [1, 4, 9] {
                    let found = try await desk.guids(filter, sort, limit: limit, for: .ann)
                    #expect(found == (1...9).map(noteGuid), "\(filter ?? "all") by \(sort)")
                }
            }
        }
    }

    /// More records than are read at once, in every kind of list: by guid, by value, by related
    /// record, and tombstones in conflict.
    @Test(arguments: stores)
    func listsOfManyRecordsAreReadToTheEnd(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let (disputed, numbers) = (1...35, 1...80)
        for number in numbers {
            let fields: [String: JSONValue] = [
                "text": .string("\(number % 3)"), "code": .string("\(number)"),
            ]
            try await desk.push(.create(number, fields), by: .ann)
            try await desk.push(.update(number, from: 1, ["parent": first]), by: .ann)
        }
        for number in disputed.dropFirst() {
            try await desk.push(.delete(number, from: 2), by: .ann)
            try await desk.push(.update(number, from: 2, ["text": "x"]), by: .bob)
        }
        let guids = numbers.map { "\"\(noteGuid($0))\"" }.joined(separator: ",")
        let codes = numbers.map { "\"\($0)\"" }.joined(separator: ",")
        let everything = numbers.map(noteGuid)
        for (filter, sort) in [
            (#"{"in": ["$guid", [\#(guids)]]}"#, nil), (#"{"in": ["code", [\#(codes)]]}"#, nil),
            (#"{"eq": ["parent", "\#(noteGuid(1))"]}"#, nil),
            (#"{"eq": ["parent.code", "1"]}"#, "parent.code"), (nil, "parent.text"),
        ] as [(String?, String?)] {
            for limit in [33, 80] {
                let found = try await desk.guids(filter, sort, limit: limit, for: .ann)
                #expect(found == everything, "\(filter ?? "all")")
            }
        }
    }

    private var first: JSONValue { .string(noteGuid(1)) }

    @Test(arguments: stores)
    func answerIsOfCurrentVersion(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        try await desk.push(.create(1, [:]), by: .ann)
        try await desk.deployAnother()
        for sort in [[], [FindRequest.SortMessage("code")]] {
            #expect(
                await desk.answer(to: FindRequest(sort: sort), for: .ann)
                    == .failure(.definitionChanged))
        }
    }
}

extension FindDesk {
    /// The guids on all pages. `sort` is as in a URL; nil for none.
    fileprivate func guids(
        _ filter: String?, _ sort: String? = nil, limit: Int, for person: FindPerson
    ) async throws -> [String] {
        let key = sort.map {
            FindRequest.SortMessage(String($0.drop { $0 == "-" }), descends: $0.first == "-")
        }
        var request = FindRequest(
            filter: try filter.map { try FindRequest.Filter($0) }, sort: key.map { [$0] } ?? [],
            limit: limit)
        var guids: [String] = []
        repeat {
            let page = try await answer(to: request, for: person).get()
            guids += page.records.map(\.guid)
            request.cursor = page.cursor
        } while request.cursor != nil
        return guids
    }
}
