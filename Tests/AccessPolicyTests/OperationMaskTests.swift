import AccessPolicy
import DefinitionModel
import Testing

@Suite struct OperationMaskTests {
    private static func policy(model: Right?, title: Right?, text: Right?) -> Policy {
        Policy(Definition(model: model, fields: ["title": title, "text": text]))
    }

    @Test(arguments: [Operation.create, .read, .update])
    func agreesWithDecideForRecordAndEachField(operation: Operation) {
        for model in rights(for: operation) {
            for title in rights(for: operation) {
                for text in rights(for: operation).prefix(6) {
                    let policy = Self.policy(model: model, title: title, text: text)
                    for record in records {
                        let isAllowed = [
                            Subject.model("Note"), .field("title", of: "Note"),
                            .field("text", of: "Note"),
                        ].allSatisfy { policy.decide(operation, $0, of: record) == .allow }
                        let isCleared = policy.allowsEveryField(
                            of: "Note", to: operation, on: record, for: me)
                        #expect(isCleared == isAllowed)
                    }
                }
            }
        }
    }

    @Test(arguments: [Operation.delete, .resolve])
    func noFieldIsDeletedOrResolvedByItself(operation: Operation) {
        let all = Right(operation: operation, level: .all, others: .all)
        let policy = Self.policy(model: all, title: all, text: all)
        #expect(policy.decide(operation, .model("Note"), of: records[0]) == .allow)
        #expect(!policy.allowsEveryField(of: "Note", to: operation, on: records[0], for: me))
    }

    @Test func unknownModelOrRoleAllowsNoOperation() {
        let all = Right(operation: .read, level: .all, others: .all)
        let policy = Self.policy(model: all, title: all, text: all)
        let watch = Role(group: "users", deviceCategory: "watch")
        let stranger = Asker(login: "anna", group: "users", role: watch)
        #expect(policy.allowsEveryField(of: "Note", to: .read, on: records[0], for: me))
        #expect(!policy.allowsEveryField(of: "Page", to: .read, on: records[0], for: me))
        #expect(!policy.allowsEveryField(of: "Note", to: .read, on: records[0], for: stranger))
    }
}
