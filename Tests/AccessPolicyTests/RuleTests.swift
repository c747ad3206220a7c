import AccessPolicy
import DefinitionModel
import Testing

/// Rules on their own, as used in explanations.
@Suite struct RuleTests {
    private static let right = Right(operation: .update, level: .group, others: .own)
    private static let policy = Policy(
        Definition(model: right, fields: ["text": right, "bare": nil]))

    @Test(arguments: Operation.allCases)
    func ruleIsThatOfCredential(operation: Operation) throws {
        let model = try #require(Self.policy.rule(of: .model("Note"), for: me.role))
        let field = try #require(Self.policy.rule(of: .field("text", of: "Note"), for: me.role))
        let level: AccessLevel = operation == .update ? .group : .own
        #expect(model.level(for: operation) == (operation == .resolve ? .none : level))
        let isOfFields = operation != .delete && operation != .resolve
        #expect(field.level(for: operation) == (isOfFields ? level : .none))
        #expect(model.isWritten && model.place == modelCredentialPlace)
        #expect(field.isWritten && field.place == fieldCredentialPlace)
    }

    @Test func missingCredentialGrantsNothing() throws {
        let bare = try #require(Self.policy.rule(of: .field("bare", of: "Note"), for: me.role))
        let stranger = Role(group: "users", deviceCategory: "watch")
        let model = try #require(Self.policy.rule(of: .model("Note"), for: stranger))
        for rule in [bare, model] {
            #expect(!rule.isWritten)
            #expect(Operation.allCases.allSatisfy { rule.level(for: $0) == .none })
        }
        #expect(bare.place == fieldPlace && model.place == modelPlace)
    }

    @Test(arguments: [
        Subject.model("Page"), .field("text", of: "Page"), .field("colour", of: "Note"),
    ])
    func unknownNameHasNoRule(subject: Subject) {
        #expect(Self.policy.rule(of: subject, for: me.role) == nil)
    }
}
