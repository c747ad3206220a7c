import DefinitionModel

/// A sample record for a new project: its tests create it, and its documentation shows how.
struct Sample {
    let role: Role
    let model: Model
    /// The required fields and some more, in the order of the definition.
    let given: [SampleValue]
    /// A changed value; nil if no field may be changed.
    let change: SampleValue?
    let isRemovable: Bool

    /// The sample that supports the most operations, the first of several. Nil if no record can be
    /// created from typed values alone, without relations and files.
    init?(_ definition: Definition) {
        let all = definition.models.flatMap { model in
            definition.roles.compactMap { role in Sample(of: model, by: role) }
        }
        let greatest = all.map(\.worth).max()
        guard let best = all.first(where: { $0.worth == greatest }) else { return nil }
        self = best
    }

    private init?(of model: Model, by role: Role) {
        guard let right = model.credentials[role], right.create != .none, right.read != .none,
            let needed = neededValues(of: model, by: role)
        else { return nil }
        let more = model.fields.filter { field in
            !needed.contains { $0.field.name == field.name } && !field.isRequired
                && field.isCreated(by: role) && field.isRead(by: role)
        }
        let values =
            needed
            + more.compactMap { sampleValues(of: $0).first }
            .prefix(max(0, Self.wantedFields - needed.count))
        let names = Set(values.map(\.field.name))
        self.role = role
        self.model = model
        given = model.fields.filter { names.contains($0.name) }.compactMap { field in
            values.first { $0.field.name == field.name }
        }
        change = right.update == .none ? nil : changedValue(of: model, given: given, by: role)
        isRemovable = right.delete != .none
    }

    /// The values that the author may read.
    var readable: [SampleValue] { given.filter { $0.field.isRead(by: role) } }

    private static let wantedFields = 2

    private var worth: Int {
        (change == nil ? 0 : 4) + (isRemovable ? 2 : 0) + (readable.isEmpty ? 0 : 1)
    }
}

/// Nil if some required field has no value that can be typed, or none that this role may set.
private func neededValues(of model: Model, by role: Role) -> [SampleValue]? {
    let fields = model.fields.filter { $0.isRequired && $0.defaultValue == nil }
    let values = fields.compactMap { field in
        field.isCreated(by: role) ? sampleValues(of: field).first : nil
    }
    return values.count == fields.count ? values : nil
}

/// Another value than that of the new record. A field in `given` comes first.
private func changedValue(
    of model: Model, given: [SampleValue], by role: Role
) -> SampleValue? {
    let others = model.fields.filter { field in !given.contains { $0.field.name == field.name } }
    for field in given.map(\.field) + others where field.isRead(by: role) {
        guard (field.credentials[role]?.update ?? .none) != .none else { continue }
        let present = given.first { $0.field.name == field.name }?.value ?? field.defaultValue
        if let other = sampleValues(of: field).first(where: { $0.value != present }) {
            return other
        }
    }
    return nil
}

extension Field {
    /// In own records, which every level reaches.
    fileprivate func isCreated(by role: Role) -> Bool {
        (credentials[role]?.create ?? AccessLevel.none) != .none
    }

    fileprivate func isRead(by role: Role) -> Bool {
        (credentials[role]?.read ?? AccessLevel.none) != .none
    }
}
