import AccessPolicy
import DefinitionModel
import Testing

@Suite struct ReadPolicyTests {
    private static let levels = [nil] + AccessLevel.allCases.map(Optional.some)

    private static func policy(
        model: AccessLevel?, title: AccessLevel?, text: AccessLevel?
    ) -> Policy {
        let right = { (level: AccessLevel?) in
            level.map { Right(operation: .read, level: $0, others: $0 == .all ? .none : .all) }
        }
        return Policy(
            Definition(
                model: right(model), fields: ["title": right(title), "text": right(text)]))
    }

    @Test(arguments: levels)
    func visibleFieldsAreThoseThatPolicyAllows(model: AccessLevel?) {
        for title in Self.levels {
            for text in Self.levels {
                let policy = Self.policy(model: model, title: title, text: text)
                let readPolicy = policy.readPolicy(of: "Note", for: me.role)
                for record in records {
                    let view = readPolicy.view(of: record, for: me)
                    let isSeen = policy.decide(.read, .model("Note"), of: record) == .allow
                    let readable = ["title", "text"].filter {
                        policy.decide(.read, .field($0, of: "Note"), of: record) == .allow
                    }
                    #expect((view != .nothing) == isSeen)
                    #expect((view == .everything) == (readable.count == 2))
                    #expect(["title", "text"].filter(view.shows(field:)) == readable)
                    #expect(view == readPolicy.view(at: Relationship(of: me, to: record)))
                }
            }
        }
    }

    @Test(arguments: levels)
    func shortCutsHoldForEveryRecord(model: AccessLevel?) {
        for text in Self.levels {
            let policy = Self.policy(model: model, title: .all, text: text)
            let readPolicy = policy.readPolicy(of: "Note", for: me.role)
            let views = records.map { readPolicy.view(at: Relationship(of: me, to: $0)) }
            #expect(readPolicy.seesEverything == views.allSatisfy { $0 == .everything })
            #expect(readPolicy.seesNothing == views.allSatisfy { $0 == .nothing })
        }
    }

    @Test func modelWithoutFieldsHasNoHiddenFields() {
        let policy = Policy(Definition(model: Right(operation: .read, level: .all)))
        #expect(policy.readPolicy(of: "Note", for: me.role).seesEverything)
    }

    @Test func readableRecordMayShowNoField() {
        let policy = Self.policy(model: .all, title: nil, text: nil)
        let readPolicy = policy.readPolicy(of: "Note", for: me.role)
        #expect(readPolicy.view(of: records[0], for: me) == .fields([]))
    }

    @Test func unknownModelOrRoleSeesNothing() {
        let policy = Self.policy(model: .all, title: .all, text: .all)
        #expect(policy.readPolicy(of: "Note", for: me.role).seesEverything)
        #expect(policy.readPolicy(of: "Page", for: me.role).seesNothing)
        let watch = Role(group: "users", deviceCategory: "watch")
        #expect(policy.readPolicy(of: "Note", for: watch).seesNothing)
    }
}
