import DefinitionModel

/// Messages for defaults. Clients that know a default send it with every record they create. The
/// default itself needs no right to the field.
extension Difference {
    static func defaultAdded(_ change: FieldChange) -> Difference {
        of(
            change, .defaultAdded,
            "\(subject(change)) is \(words(change.new)), and there was none", data: forNewRecords,
            clients: .safe("records that they create without a value get it"))
    }

    static func defaultChanged(_ change: FieldChange, lockedFor roles: [Role]) -> Difference {
        of(
            change, .defaultChanged,
            "\(subject(change)) is \(words(change.new)), and was \(words(change.old))",
            data: forNewRecords,
            clients: roles.isEmpty
                ? .safe("records that they create without a value get the new one") : refused(roles)
        )
    }

    static func defaultRemoved(_ change: FieldChange, lockedFor roles: [Role]) -> Difference {
        let clients: Verdict =
            if change.new.isRequired {
                .breaking("records that they create without a value are refused")
            } else if roles.isEmpty {
                .safe("records that they create without a value have none")
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
            "those of \(quotedList(roles.map(\.name))) may create records without a right to the "
                + "field, and are refused if they send the old default")
    }

    private static func subject(_ change: FieldChange) -> String {
        "the default of '\(change.new.name)' of '\(change.newModel.name)'"
    }

    private static func words(_ field: Field) -> String { "'\(field.writtenDefault ?? "")'" }
}
