import ChangeRules
import DefinitionModel
import EngineKit
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Messages of causes")
struct CauseMessageTests {
    private static let codes: [(Cause.Reason, code: String, argument: String?)] = [
        (.empty, "empty", nil),
        (.limit(.tooLong(max: 5)), "tooLong", "5"),
        (.limit(.greaterThan(DecimalNumber(6))), "greaterThan", "6"),
        (.limit(.greaterThanOrEqualTo(DecimalNumber(7))), "greaterThanOrEqualTo", "7"),
        (.limit(.lessThan(DecimalNumber(8))), "lessThan", "8"),
        (.limit(.lessThanOrEqualTo(DecimalNumber(9))), "lessThanOrEqualTo", "9"),
        (.limit(.tooManyFractionDigits(max: 3)), "tooManyFractionDigits", "3"),
        (.limit(.illegalCharacter), "illegalCharacter", nil),
        (.limit(.patternTooCostly(maxSteps: 5)), "patternTooCostly", "5"),
        (.wrongType(expected: .belongsTo), "wrongType", "BELONGS_TO"),
        (.notFound(guid: guid(1), model: "Note"), "notFound", guid(1)),
        (.notUnique, "notUnique", nil),
        (.fileNotYours(guid: guid(1)), "fileNotYours", guid(1)),
        (.notGranted(.delete, level: .own), "noCredentialsToPerformOperationOnModel", "delete"),
        (.unknownModel("Nota"), "unknownModel", "Nota"),
        (.unknownField("titel"), "unknownField", "titel"),
        (.change(.illegalGuid), "illegalGuid", nil),
        (.change(.illegalChangeID(maxBytes: 128)), "illegalChangeID", "128"),
        (.change(.unexpectedFields), "unexpectedFields", nil),
        (.change(.recordUnknown), "recordUnknown", nil),
        (.change(.recordDeleted), "recordDeleted", nil),
        (.change(.notConflicted), "notConflicted", nil),
        (.change(.stale(revision: 7)), "stale", "7"),
        (.change(.resolutionStale), "resolutionStale", nil),
        (.change(.guidTaken), "guidTaken", nil),
        (.change(.baseMissing), "baseMissing", nil),
        (.change(.baseUnknown), "baseUnknown", nil),
        (.change(.changeIDReused), "changeIDReused", nil),
        (.change(.dependsOnRefused(changeID: "c7")), "dependsOnRefused", "c7"),
        (.change(.tooEntangled), "tooEntangled", nil),
    ]

    @Test(arguments: codes)
    func everyReasonHasItsCodeAndArgument(
        reason: Cause.Reason, code: String, argument: String?
    ) {
        let message = CauseMessage(Cause(reason))
        #expect(message.code == code)
        #expect(message.argument == argument)
    }

    @Test(arguments: codes.map(\.0))
    func wordsAreForPeople(reason: Cause.Reason) throws {
        let message = CauseMessage(Cause(reason)).message
        let first = try #require(message.first)
        #expect(first.isLowercase || first == "'", "\(message)")
        #expect(!message.hasSuffix("."), "\(message)")
    }

    @Test func rightOnFieldHasCodeOfItsOwnAndNamesField() {
        let message = CauseMessage(
            Cause(.notGranted(.update, level: .group), field: "title"))
        #expect(message.code == "noCredentialsToPerformOperationOnField")
        #expect(message.argument == "update" && message.field == "title")
        #expect(message.message.contains("'title'") && message.message.contains("GROUP"))
    }

    @Test func fieldIsNamedOrElseRecordIsMeant() {
        #expect(CauseMessage(Cause(.empty, field: "title")).message.hasPrefix("'title' "))
        #expect(CauseMessage(Cause(.empty)).message.hasPrefix("the record "))
    }

    @Test func causeHasLineAndColumnOfItsRule() {
        let message = CauseMessage(Cause(.empty, place: SourcePlace(line: 3, column: 7)))
        #expect(message.line == 3 && message.column == 7)
        #expect(CauseMessage(Cause(.empty)).line == nil)
    }
}
