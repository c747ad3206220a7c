import AccessPolicy
import DefinitionModel

/// Small definitions with one model, `Note`, and one field, `text`.
let me = Asker(
    login: "anna", group: "users", role: Role(group: "users", deviceCategory: "mobile"))
let modelPlace = SourcePlace(line: 10, column: 5)
let modelCredentialPlace = SourcePlace(line: 20, column: 9)
let fieldPlace = SourcePlace(line: 12, column: 7)
let fieldCredentialPlace = SourcePlace(line: 14, column: 11)

/// The right for one operation, and the right for all others. They mostly differ, which detects the
/// use of the wrong operation.
struct Right: Hashable {
    let operation: Operation
    let level: AccessLevel
    var others = AccessLevel.none

    func level(for asked: Operation) -> AccessLevel { asked == operation ? level : others }
}

extension ModelCredential {
    init(_ right: Right) {
        self.init(
            create: right.level(for: .create), read: right.level(for: .read),
            update: right.level(for: .update), delete: right.level(for: .delete),
            resolvesConflicts: right.level(for: .resolve) == .all, place: modelCredentialPlace)
    }
}

extension FieldCredential {
    init(_ right: Right) {
        self.init(
            create: right.level(for: .create), read: right.level(for: .read),
            update: right.level(for: .update), place: fieldCredentialPlace)
    }
}

extension Definition {
    /// A nil right is a missing credential.
    init(model: Right?, fields: [String: Right?] = [:], to role: Role = me.role) {
        let fields = fields.map { name, right in
            Field(
                name: name, type: .text(TextLimits()), isRequired: false, defaultValue: nil,
                credentials: right.map { [role: FieldCredential($0)] } ?? [:], writtenOptions: [],
                writtenDefault: nil, place: fieldPlace)
        }
        let note = Model(
            name: "Note", fields: fields,
            credentials: model.map { [role: ModelCredential($0)] } ?? [:], place: modelPlace)
        self.init(
            application: "notes", vendor: "tests", conflictMode: .manual,
            deviceCategories: [role.deviceCategory], groups: [role.group], roles: [role],
            models: [note], digest: "")
    }
}

/// The four records with distinct relations to the asker.
let records = ["anna", "bert"].flatMap { owner in
    ["users", "guests"].map { Ownership(owner: owner, group: $0) }
}

/// Every combination of a right for an operation and a right for the others, and no credential.
func rights(for operation: Operation) -> [Right?] {
    let levels = AccessLevel.allCases
    return [nil]
        + levels.flatMap { level in
            levels.map { Right(operation: operation, level: level, others: $0) }
        }
}

extension Policy {
    func decide(
        _ operation: Operation, _ subject: Subject, of record: Ownership = records[0],
        by asker: Asker = me
    ) -> Decision {
        decide(Question(asker: asker, operation: operation, subject: subject, record: record))
    }
}
