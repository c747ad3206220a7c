import AccessPolicy
import DefinitionModel
import Testing

/// A naive second implementation of the rights.
private func holds(_ right: Right?, for operation: Operation, on record: Ownership) -> Bool {
    guard let right else { return false }
    switch right.level(for: operation) {
    case .none: return false
    case .own: return operation != .resolve && record.owner == me.login
    case .group: return operation != .resolve && record.group == me.group
    case .all: return true
    }
}

@Suite struct PolicyTests {
    @Test(arguments: Operation.allCases)
    func modelsRightDecidesAboutRecord(operation: Operation) {
        for right in rights(for: operation) {
            let policy = Policy(Definition(model: right))
            for record in records {
                let isAllowed = policy.decide(operation, .model("Note"), of: record) == .allow
                #expect(
                    isAllowed == holds(right, for: operation, on: record),
                    "\(String(describing: right)) on \(record)")
            }
        }
    }

    @Test(arguments: [Operation.create, .read, .update])
    func fieldNeedsItsOwnRightAndModels(operation: Operation) {
        for (modelRight, fieldRight) in pairs(rights(for: operation), rights(for: operation)) {
            let policy = Policy(Definition(model: modelRight, fields: ["text": fieldRight]))
            for record in records {
                let isAllowed =
                    policy.decide(operation, .field("text", of: "Note"), of: record) == .allow
                #expect(
                    isAllowed
                        == (holds(modelRight, for: operation, on: record)
                            && holds(fieldRight, for: operation, on: record)),
                    "\(String(describing: modelRight)), \(String(describing: fieldRight))")
            }
        }
    }

    @Test(arguments: [Operation.delete, .resolve])
    func fieldIsNeitherDeletedNorResolved(operation: Operation) {
        let policy = Policy(.allowing(operation))
        #expect(policy.decide(operation, .model("Note")) == .allow)
        #expect(policy.decide(operation, .field("text", of: "Note")) != .allow)
    }

    @Test func roleHasOnlyItsOwnCredentials() {
        let tablet = Role(group: "users", deviceCategory: "tablet")
        let policy = Policy(
            Definition(model: .all(.read), fields: ["text": .all(.read)], to: tablet))
        let other = Asker(login: me.login, group: me.group, role: tablet)
        #expect(policy.decide(.read, .field("text", of: "Note"), by: other) == .allow)
        #expect(policy.decide(.read, .field("text", of: "Note"), by: me) != .allow)
    }

    @Test func ownerInAnotherGroupHasNoGroupRight() {
        let policy = Policy(Definition(model: Right(operation: .read, level: .group)))
        let moved = Ownership(owner: me.login, group: "guests")
        #expect(policy.decide(.read, .model("Note"), of: moved) != .allow)
    }

    @Test func sameGroupHasNoOwnersRight() {
        let policy = Policy(Definition(model: Right(operation: .read, level: .own)))
        let colleague = Ownership(owner: "bert", group: me.group)
        #expect(policy.decide(.read, .model("Note"), of: colleague) != .allow)
    }
}

@Suite struct DenialTests {
    struct Case: Sendable {
        let model: AccessLevel?
        let field: AccessLevel?
        let subject: Subject
        let denial: Denial
    }

    private static let note = Subject.model("Note")
    private static let text = Subject.field("text", of: "Note")

    /// All cases are an update of another user's record in another group.
    static let cases = [
        Case(
            model: .own, field: .all, subject: note,
            denial: Denial(.own, model: "Note", at: modelCredentialPlace)),
        Case(
            model: .group, field: .all, subject: text,
            denial: Denial(.group, model: "Note", at: modelCredentialPlace)),
        Case(
            model: nil, field: .all, subject: note,
            denial: Denial(.none, model: "Note", at: modelPlace)),
        Case(
            model: .all, field: .own, subject: text,
            denial: Denial(.own, model: "Note", field: "text", at: fieldCredentialPlace)),
        Case(
            model: .all, field: AccessLevel.none, subject: text,
            denial: Denial(.none, model: "Note", field: "text", at: fieldCredentialPlace)),
        Case(
            model: .all, field: nil, subject: text,
            denial: Denial(.none, model: "Note", field: "text", at: fieldPlace)),
        Case(
            model: .all, field: .all, subject: .field("colour", of: "Note"),
            denial: Denial(.none, model: "Note", field: "colour", at: modelPlace)),
        Case(
            model: .all, field: .all, subject: .model("Page"),
            denial: Denial(.none, model: "Page", at: nil)),
        Case(
            model: .all, field: .all, subject: .field("text", of: "Page"),
            denial: Denial(.none, model: "Page", at: nil)),
    ]

    @Test(arguments: cases)
    func denialNamesRuleThatDecided(_ example: Case) {
        let definition = Definition(
            model: example.model.map { Right(operation: .update, level: $0) },
            fields: ["text": example.field.map { Right(operation: .update, level: $0) }])
        let stranger = Ownership(owner: "bert", group: "guests")
        let decision = Policy(definition).decide(.update, example.subject, of: stranger)
        #expect(decision == .deny(example.denial))
    }

    @Test func unknownRoleIsDeniedAtModel() {
        let role = Role(group: "users", deviceCategory: "watch")
        let asker = Asker(login: "anna", group: "users", role: role)
        let decision = Policy(.allowing(.update)).decide(.update, Self.text, by: asker)
        #expect(decision == .deny(Denial(.none, model: "Note", at: modelPlace)))
    }
}

@Suite struct EquivalentTextTests {
    static let composed = "ren\u{E9}"
    static let decomposed = "rene\u{301}"

    @Test func twoFormsAreOneToSwift() {
        #expect(Self.composed == Self.decomposed)
    }

    @Test(arguments: [AccessLevel.own, .group])
    func equivalentLoginOrGroupIsSomeoneElses(level: AccessLevel) {
        let policy = Policy(Definition(model: Right(operation: .read, level: level)))
        let asker = Asker(login: Self.composed, group: Self.composed, role: me.role)
        let same = Ownership(owner: Self.composed, group: Self.composed)
        let equivalent = Ownership(owner: Self.decomposed, group: Self.decomposed)
        #expect(policy.decide(.read, .model("Note"), of: same, by: asker) == .allow)
        #expect(policy.decide(.read, .model("Note"), of: equivalent, by: asker) != .allow)
        let readPolicy = policy.readPolicy(of: "Note", for: me.role)
        #expect(readPolicy.view(of: same, for: asker) == .everything)
        #expect(readPolicy.view(of: equivalent, for: asker) == .nothing)
    }

    @Test func equivalentRoleIsUnknown() {
        let role = Role(group: Self.composed, deviceCategory: "mobile")
        let policy = Policy(Definition(model: .all(.read), to: role))
        for (group, isKnown) in [(Self.composed, true), (Self.decomposed, false)] {
            let asker = Asker(
                login: "anna", group: group, role: Role(group: group, deviceCategory: "mobile"))
            #expect((policy.decide(.read, .model("Note"), by: asker) == .allow) == isKnown)
            #expect(policy.readPolicy(of: "Note", for: asker.role).seesNothing == !isKnown)
        }
    }

    @Test func equivalentFieldIsUnknown() {
        let policy = Policy(Definition(model: .all(.read), fields: [Self.composed: .all(.read)]))
        #expect(policy.decide(.read, .field(Self.composed, of: "Note")) == .allow)
        #expect(policy.decide(.read, .field(Self.decomposed, of: "Note")) != .allow)
    }

    @Test func equivalentAskersAndOwnersAreNotEqual() {
        let composed = Asker(login: Self.composed, group: "users", role: me.role)
        let decomposed = Asker(login: Self.decomposed, group: "users", role: me.role)
        #expect(composed != decomposed)
        #expect(
            Ownership(owner: "anna", group: Self.composed)
                != Ownership(owner: "anna", group: Self.decomposed))
    }
}

extension Denial {
    fileprivate init(
        _ granted: AccessLevel, model: String, field: String? = nil, at place: SourcePlace?
    ) {
        self.init(
            operation: .update, model: model, field: field, granted: granted, place: place)
    }
}

extension Right {
    fileprivate static func all(_ operation: Operation) -> Right {
        Right(operation: operation, level: .all)
    }
}

extension Definition {
    fileprivate static func allowing(_ operation: Operation) -> Definition {
        let everything = Right(operation: operation, level: .all, others: .all)
        return Definition(model: everything, fields: ["text": everything])
    }
}

private func pairs<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
    first.flatMap { one in second.map { (one, $0) } }
}
