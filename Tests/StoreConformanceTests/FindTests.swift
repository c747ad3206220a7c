import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("Every store finds the same records")
struct FindTests {
    /// Whatever a store goes through to find them, and however little it may look at.
    @Test(arguments: UInt64(0)..<60)
    func anyQuestionGetsTheSameAnswer(seed: UInt64) async throws {
        var random = RandomFinds(seed: seed)
        var limits = Limits()
        if seed % 2 > 0 {
            limits.siftedRecords = random.number(in: 2...10)
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

    /// Both with a narrowing, where no order of candidates is promised, and without one.
    @Test(arguments: stores)
    func whatIsDeletedIsFoundOnlyIfItIsDisputed(_ kind: StoreKind) async throws {
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

    @Test(arguments: stores)
    func theAnswerIsOfTheCurrentVersion(_ kind: StoreKind) async throws {
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
