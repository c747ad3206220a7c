import AccessPolicy
import DefinitionModel
import DefinitionReports
import TestKit
import Testing

@Suite struct RightsDifferenceTests {
    struct Case: Sendable {
        let edits: [(from: String, to: String)]
        let messages: [String]

        init(_ edits: (String, String)..., telling messages: String...) {
            self.edits = edits.map { (from: $0.0, to: $0.1) }
            self.messages = messages
        }
    }

    /// Edits of `assignment.xml`.
    static let cases = [
        Case(
            (#"readAllowed="OWN" updateAllowed="GROUP"/>"#, #"updateAllowed="GROUP"/>"#),
            telling:
                "'authors-mobile' may no longer read 'draft' of 'article' of their own in their "
                + "group"
        ),
        Case(
            (
                #"createAllowed="OWN" readAllowed="GROUP" updateAllowed="OWN""#,
                #"createAllowed="OWN" readAllowed="OWN" updateAllowed="OWN""#
            ),
            telling:
                "'authors-mobile' may no longer read records of 'article' of others in their group",
            "'authors-mobile' may now read records of 'article' of their own from another group, "
                + "with every field"),
        Case(
            (
                #"createAllowed="OWN" readAllowed="GROUP" updateAllowed="OWN""#,
                #"createAllowed="OWN" readAllowed="ALL" updateAllowed="OWN""#
            ),
            telling:
                "'authors-mobile' may now read records of 'article' of other groups, with 'title'",
            "'authors-mobile' may now read 'draft' of 'article' of their own from another group"),
        Case(
            (#"deleteAllowed="NONE""#, #"deleteAllowed="ALL""#),
            telling: "'editors-desk' may now delete records of 'article'"),
        Case(
            (
                #"readAllowed="ALL" updateAllowed="GROUP" deleteAllowed="NONE""#,
                #"readAllowed="ALL" updateAllowed="ALL" deleteAllowed="NONE""#
            ),
            telling:
                "'editors-desk' may now update records of 'article' of other groups, with 'draft'",
            "'editors-desk' may now resolve conflicts of 'article' of other groups"),
        Case(
            (#"deleteAllowed="OWN" resolveConflictAllowed="true""#, #"deleteAllowed="OWN""#),
            telling:
                "'authors-mobile' may no longer resolve conflicts of 'article' of their own"),
        Case(
            (
                #"<credential role="authors-mobile" createAllowed="OWN" readAllowed="ALL" "#
                    + #"updateAllowed="ALL"/>"#,
                ""
            ),
            telling: "'authors-mobile' may no longer create 'title' of 'article'",
            "'authors-mobile' may no longer read 'title' of 'article' of their group",
            "'authors-mobile' may no longer update 'title' of 'article' of their own"),
    ]

    @Test(arguments: cases)
    func gainedAndLostRightsAreReported(example: Case) throws {
        let comparison = DefinitionComparison(
            from: try Documents.definition("levels"), to: try edited("levels", example.edits))
        #expect(comparison.rights.map(\.message) == example.messages)
    }

    @Test func roleThatCouldDoNothingLosesNothing() throws {
        let text = #"<role group="readers" device="mobile"/>"#
        let more = try edited(
            "levels", [(from: text, to: text + #"<role group="readers" device="desk"/>"#)])
        let comparison = DefinitionComparison(from: more, to: try Documents.definition("levels"))
        #expect(comparison.rights.isEmpty)
        #expect(comparison.differences.map(\.kind) == [.roleRemoved])
    }

    @Test func newModelIsReportedBriefly() throws {
        let field = try Documents.definition("FieldService")
        let fewer = Definition(
            application: field.application, vendor: field.vendor,
            conflictMode: field.conflictMode, deviceCategories: field.deviceCategories,
            groups: field.groups, roles: field.roles, models: Array(field.models.dropLast()),
            digest: "")
        let rights = DefinitionComparison(from: fewer, to: field).rights
        #expect(!rights.isEmpty && rights.count <= 10)
        #expect(rights.allSatisfy { $0.effect == .gained && $0.impact == .safe })
    }

    /// Readers would miss a required field, which models generated for the old definition need.
    @Test func gainWithoutRequiredFieldBreaks() throws {
        let model = #"<credential role="editors-desk" readAllowed="ALL" updateAllowed="GROUP" d"#
        let loosened = [
            (from: model, to: #"<credential role="readers-mobile" readAllowed="ALL"/>"# + model)
        ]
        let hidden =
            loosened + [
                // The first place that is written is that of the field 'title'.
                (
                    from: #"updateAllowed="GROUP"/>"# + "\n            "
                        + #"<credential role="readers-mobile" readAllowed="ALL"/>"#,
                    to: #"updateAllowed="GROUP"/>"#
                )
            ]
        for (edits, impact) in [(loosened, Impact.safe), (hidden, .breaking)] {
            let comparison = DefinitionComparison(
                from: try Documents.definition("levels"), to: try edited("levels", edits))
            let gain = try #require(comparison.rights.first { $0.effect == .gained })
            #expect(gain.clients.impact == impact, "\(gain.message)")
        }
    }

    /// Every right that one definition alone grants is reported, and nothing else.
    @Test(arguments: UInt64(1)...12)
    func everyChangedDecisionIsReported(seed: UInt64) {
        let (old, new) = (randomRights(seed: seed), randomRights(seed: seed + 1000))
        let judges = (old: Judge(old), new: Judge(new))
        let rights = DefinitionComparison(from: old, to: new).rights
        for role in old.roles {
            for (model, field, operation, owner) in questions(about: old) {
                let before = judges.old.allows(
                    role, operation, field: field, of: model, owner: owner)
                let now = judges.new.allows(role, operation, field: field, of: model, owner: owner)
                let told = rights.filter {
                    $0.tells(
                        role, operation, field: field, of: model, owner: owner, wasAllowed: before)
                }
                let expected: Set<RightsDifference.Effect> =
                    before == now ? [] : now ? [.gained] : [.lost]
                #expect(
                    Set(told.map(\.effect)) == expected,
                    "\(role.name) \(operation) \(model).\(field ?? "") \(owner)")
            }
        }
    }

    private func questions(
        about definition: Definition
    ) -> [(String, String?, DefinitionModel.Operation, RecordOwner)] {
        definition.models.flatMap { model in
            ([nil] + model.fields.map(\.name)).flatMap { field in
                (field == nil ? Operation.allCases : Operation.ofFields).flatMap { operation in
                    // A new record belongs to its creator.
                    (operation == .create ? [.own] : RecordOwner.allCases).map {
                        (model.name, field, operation, $0)
                    }
                }
            }
        }
    }
}

extension RightsDifference {
    /// Whether the differences report it, directly or as implied: the loss of a record implies that
    /// of its fields.
    fileprivate func tells(
        _ role: Role, _ operation: DefinitionModel.Operation, field: String?, of model: String,
        owner: RecordOwner, wasAllowed: Bool
    ) -> Bool {
        guard roles.contains(role), operations.contains(operation), models.contains(model),
            owners.contains(owner)
        else { return false }
        guard let field else { return fields.isEmpty }
        if fields.contains(field) { return true }
        switch fieldsGained {
        case .none: return fields.isEmpty && effect == .lost && wasAllowed
        case .every: return fields.isEmpty && operation != .delete && operation != .resolve
        case .some(let names, _): return names.contains(field)
        }
    }
}
