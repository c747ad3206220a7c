import DefinitionModel

/// What is said of defaults. Clients that know a default send it with every record that they
/// create; that needs no right to the field, as long as it is the default.
extension Difference {
    static func defaultAdded(_ change: FieldChange) -> Difference {
        of(
            change, .defaultAdded,
            "\(subject(change)) is \(words(change.new)), and there was none", data: forNewRecords,
            clients: .safe("what they create without a value gets it"))
    }

    static func defaultChanged(_ change: FieldChange, lockedFor roles: [Role]) -> Difference {
        of(
            change, .defaultChanged,
            "\(subject(change)) is \(words(change.new)), and was \(words(change.old))",
            data: forNewRecords,
            clients: roles.isEmpty
                ? .safe("what they create without a value gets the new one") : refused(roles))
    }

    static func defaultRemoved(_ change: FieldChange, lockedFor roles: [Role]) -> Difference {
        let clients: Verdict =
            if change.new.isRequired {
                .breaking("what they create without a value is refused")
            } else if roles.isEmpty {
                .safe("what they create without a value has none")
            } else {
                refused(roles)
            }
        return of(
            change, .defaultRemoved, "\(subject(change)) is gone, and was \(words(change.old))",
            data: forNewRecords, clients: clients)
    }

    private static let forNewRecords = Verdict.safe("stored records keep their values")

    private static func refused(_ roles: [Role]) -> Verdict {
        .breaking(
            "those of \(inWords(roles.map(\.name))) may create records without a right to the "
                + "field, and are refused if they send the old default")
    }

    private static func subject(_ change: FieldChange) -> String {
        "the default of '\(change.new.name)' of '\(change.newModel.name)'"
    }

    private static func words(_ field: Field) -> String { "'\(field.writtenDefault ?? "")'" }
}
