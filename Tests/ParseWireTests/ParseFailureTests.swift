import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import Testing

@testable import ParseWire

@Suite("Errors of the engine have codes of Parse")
struct ParseFailureTests {
    /// Clients send again what has code 100, and drop a change with any other.
    private static let errors: [(SyncError, status: Int, code: Int, seconds: Int?)] = [
        (.store(.outOfSpace), 503, 100, 60), (.store(.busy), 503, 100, 1),
        (.store(.memoryFull(isOwn: true)), 503, 100, 1), (.store(.cancelled), 408, 100, 1),
        (.store(.failed("a bug")), 500, 1, nil), (.file(.unknown), 404, 101, nil),
        (.file(.awaited), 404, 101, nil), (.file(.tooLarge(maxBytes: 1)), 400, 116, nil),
        (.file(.notYours), 400, 130, nil), (.file(.overtaken), 503, 100, 1),
        (.file(.tooManyLoose(max: 1, maxBytes: 1)), 429, 100, 3600),
        (.account(.mailIllegal("x")), 400, 125, nil), (.signIn(.tokenUnknown), 400, 209, nil),
        (.signIn(.tooManyAttempts(retryAfterSeconds: 7)), 429, 100, 7),
    ]

    @Test(arguments: errors.indices) func errorHasCode(index: Int) {
        let (error, status, code, seconds) = Self.errors[index]
        let failure = ParseFailure(error)
        #expect(failure.status == status && failure.code == code, "\(failure)")
        #expect(failure.retryAfterSeconds == seconds && !failure.message.isEmpty)
    }

    private static let causes: [(Cause.Reason, String, code: Int64, reason: String, text: String)] =
        [
            (.empty, "text", 142, "empty", "'text' is required, give it a value"),
            (
                .wrongType(expected: .date), "when", 111, "wrongType",
                "schema mismatch for Note.when; expected Date but got Number"
            ),
            (
                .notFound(guid: knownGuid, model: "Note"), "parent", 106, "notFound",
                "'parent' points to no object of 'Note', save that one first"
            ),
            (
                .change(.guidTaken), "", 137, "guidTaken",
                "another object has this objectId, choose a new one"
            ),
            (.change(.recordDeleted), "", 101, "recordDeleted", "Object not found."),
        ]

    /// A developer finds the key, the code and the text of each cause in the words of the client.
    @Test func causesAreInWordsOfParse() {
        let causes = Self.causes.map { Cause($0.0, field: $0.1.isEmpty ? nil : $0.1) }
        let failure = ParseFailure(refusing: causes, of: .note, given: ["when": 1])
        #expect(failure.code == 142 && failure.message == Self.causes[0].text)
        for (cause, (_, key, code, reason, text)) in zip(failure.causes, Self.causes) {
            var expected: [String: JSONValue] = [
                "code": .integer(code), "reason": .string(reason), "error": .string(text),
            ]
            if !key.isEmpty { expected["field"] = .string(key) }
            #expect(cause.json == .object(expected))
        }
    }

    /// A client that changes a relation knows nothing of the model of its pairs.
    @Test func causeOfPairNamesRelation() {
        let cause = Cause(.notFound(guid: knownGuid, model: "Note"), field: "parent")
        let failure = ParseFailure(refusing: [cause], of: .note, relation: "friends")
        #expect(failure.causes.first?.key == "friends")
    }
}
