import ChangeRules
import DefinitionModel
import Testing

@Suite struct DefaultTests {
    @Test func newRecordStartsWithDefaultsAndNothingElse() {
        let model = model(
            field(.text(TextLimits()), named: "title", defaultValue: .text("untitled")),
            field(.boolean, named: "done", isRequired: true, defaultValue: .boolean(false)),
            field(.date(DateLimits()), named: "due"))
        #expect(model.defaults == ["title": .text("untitled"), "done": .boolean(false)])
    }

    @Test func withoutDefaultsItStartsEmpty() {
        #expect(model(field(.boolean, isRequired: true)).defaults == [:])
    }
}

@Suite struct ChangeActionTests {
    @Test(arguments: [
        (ChangeAction.create, Operation.create), (.update, .update), (.delete, .delete),
        (.resolve, .resolve),
    ])
    func actionNeedsTheRightOfItsName(action: ChangeAction, operation: Operation) {
        #expect(action.operation == operation)
        #expect(action.rawValue == operation.rawValue)
    }

    /// Reading changes nothing.
    @Test func everyOtherRightHasAction() {
        let operations = Set(ChangeAction.allCases.map(\.operation))
        #expect(operations == Set(Operation.allCases).subtracting([.read]))
    }
}
