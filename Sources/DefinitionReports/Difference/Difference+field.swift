import ChangeRules
import DefinitionModel

/// Messages for added and removed fields.
extension Difference {
    static func fieldAdded(_ field: Field, to model: Model) -> Difference {
        let (data, clients) = verdicts(onAdded: field)
        return Difference(
            kind: .fieldAdded, model: model.name, field: field.name,
            message: "the field '\(field.name)' of '\(model.name)' is new"
                + (field.isRequired ? ", and required" : ""),
            data: data, clients: clients, oldPlace: nil, newPlace: field.place)
    }

    /// `model` is the new model.
    static func fieldRemoved(_ field: Field, from model: Model) -> Difference {
        Difference(
            kind: .fieldRemoved, model: model.name, field: field.name,
            message: "the field '\(field.name)' of '\(model.name)' is gone",
            data: .breaking("its values stay stored, and nobody can see them"),
            clients: .breaking(
                field.isRequired
                    ? "what they send with it is refused, and they cannot read a record without it"
                    : "what they send with it is refused"),
            oldPlace: field.place, newPlace: nil)
    }

    private static func verdicts(onAdded field: Field) -> (data: Verdict, clients: Verdict) {
        switch (field.isRequired, field.defaultValue != nil) {
        case (false, false):
            (.safe("stored records have no value in it"), .safe("they leave it empty"))
        case (false, true):
            (
                .safe("stored records have no value in it"),
                .safe("what they create gets the default")
            )
        case (true, true):
            (
                .needsDefault(
                    "stored records have no value in it until someone gives them the default"),
                .safe("what they create gets the default")
            )
        case (true, false):
            (
                .breaking("stored records have no value in it until someone sets one"),
                .breaking("they create records without it, which is refused")
            )
        }
    }
}

/// Messages for fields in both definitions.
extension Difference {
    static func fieldRenamed(_ change: FieldChange) -> Difference {
        of(
            change, .fieldRenamed, "\(change.subject) was called '\(change.old.name)'",
            data: broughtOver("values"),
            clients: refusedUnderOldName(change.old))
    }

    /// Two fields merged by a rename. `model` is the new model.
    static func fieldMerged(_ old: Field, into new: Field, of model: Model) -> Difference {
        let keepsValues =
            old.type.name == new.type.name || old.type.name.widens(to: new.type.name)
        return Difference(
            kind: .fieldMerged, model: model.name, field: new.name,
            message: "the field '\(old.name)' of '\(model.name)' has become part of '\(new.name)'",
            data: .breaking(
                keepsValues
                    ? "if a record has values in both, one is lost"
                    : "where values of it are stored, deploying it is refused"),
            clients: refusedUnderOldName(old), oldPlace: old.place, newPlace: new.place)
    }

    private static func refusedUnderOldName(_ old: Field) -> Verdict {
        .breaking(
            oldNameRefused.reason
                + (old.isRequired ? ", and they cannot read a record without it" : ""))
    }

    static func typeChanged(_ change: FieldChange) -> Difference {
        of(
            change, .typeChanged,
            "\(change.subject) is of the type \(change.new.type.name.rawValue), and was "
                + change.old.type.name.rawValue,
            data: change.isWidened
                ? .safe("stored whole numbers become decimals, and stay so")
                : .breaking("where values of it are stored, deploying it is refused"),
            clients: .breaking(
                change.isWidened
                    ? "unless they name their version, they cannot use the values they get; those "
                        + "that do read a number with a fraction as null"
                    : "the values that they send are refused, and they cannot use those they get"))
    }

    static func relationTargetChanged(
        _ change: FieldChange, from old: String, to new: String
    ) -> Difference {
        of(
            change, .relationTargetChanged,
            "\(change.subject) belongs to '\(new)', and did to '\(old)'", option: "model",
            data: .breaking("stored values name records of '\(old)'"),
            clients: .breaking("they name records of '\(old)', which is refused"))
    }

    static func analyzeConflictChanged(_ change: FieldChange, to isOn: Bool) -> Difference {
        of(
            change, .analyzeConflictChanged,
            "'analyzeConflict' of \(change.subject) is \(isOn), and was \(!isOn)",
            option: "analyzeConflict", data: untouched,
            clients: .safe(
                isOn
                    ? "conflict detection treats a record and its target as one"
                    : "conflict detection treats each record separately"))
    }

    static func becameRequired(_ change: FieldChange) -> Difference {
        let hasDefault = change.new.defaultValue != nil
        let reason = "stored records without a value stay so until someone gives them"
        return of(
            change, .becameRequired, "\(change.subject) is required now",
            data: hasDefault
                ? .needsDefault("\(reason) the default") : .breaking("\(reason) one"),
            clients: .breaking(
                hasDefault
                    ? "what they send with no value in it is refused"
                    : "what they send with no value in it, or create without it, is refused"))
    }

    static func becameOptional(_ change: FieldChange) -> Difference {
        of(
            change, .becameOptional, "\(change.subject) is no longer required", data: untouched,
            clients: .breaking("they require a value, and cannot read a record without one"))
    }

    static func becameUnique(_ change: FieldChange) -> Difference {
        of(
            change, .becameUnique, "\(change.subject) is unique now", option: "unique",
            data: .breaking("if two records have the same value, deploying it is refused"),
            clients: .breaking("a value that another record has is refused"))
    }

    static func ceasedToBeUnique(_ change: FieldChange) -> Difference {
        of(
            change, .ceasedToBeUnique, "\(change.subject) is no longer unique", option: "unique",
            data: untouched, clients: .safe("nothing that they send is refused because of it"))
    }

    static func limitChanged(_ limit: LimitChange, of change: FieldChange) -> Difference {
        of(
            change, limit.isTighter ? .limitTightened : .limitLoosened,
            "'\(limit.option)' of \(change.subject) \(limit.words)", option: limit.option,
            data: limit.isTighter
                ? .breaking("stored values that violate it can be read, but not be set again")
                : .safe("stored values keep it"),
            clients: limit.isTighter
                ? .breaking("values that they accept may be refused")
                : .safe("they may get values that they would not accept themselves"))
    }

    static func descriptionChanged(_ change: FieldChange) -> Difference {
        of(
            change, .descriptionChanged, "the description of \(change.subject) changed",
            option: "description", data: untouched, clients: forPeople)
    }

    static func earlierNamesChanged(_ change: FieldChange) -> Difference {
        of(
            change, .earlierNamesChanged, "\(change.subject) has other earlier names",
            option: "renamedFrom", data: untouched, clients: sameName)
    }

    static func aliasChanged(_ change: FieldChange) -> Difference {
        of(
            change, .aliasChanged,
            "other products' clients know \(change.subject) as '\(change.new.foreignName)', and "
                + "knew it as '\(change.old.foreignName)'",
            option: "alias", data: untouched, clients: otherName)
    }

    static func writtenOtherwise(_ change: FieldChange) -> Difference {
        of(
            change, .writtenOtherwise,
            "\(change.subject) is written differently, with the same meaning",
            data: untouched, clients: newDigest)
    }

    static func credentialsRewritten(of roles: [Role], _ change: FieldChange) -> Difference {
        let (old, new) = (change.old, change.new)
        return Difference(
            kind: .credentialRewritten, model: change.newModel.name, field: new.name,
            message: rewritten(roles, for: change.subject), data: untouched, clients: sameRights,
            oldPlace: roles.lazy.compactMap { old.credentials[$0]?.place }.first ?? old.place,
            newPlace: roles.lazy.compactMap { new.credentials[$0]?.place }.first ?? new.place)
    }

    static func of(
        _ change: FieldChange, _ kind: Kind, _ message: String, option: String? = nil,
        data: Verdict, clients: Verdict
    ) -> Difference {
        Difference(
            kind: kind, model: change.newModel.name, field: change.new.name, message: message,
            data: data, clients: clients,
            oldPlace: option.map(change.old.place(ofOption:)) ?? change.old.place,
            newPlace: option.map(change.new.place(ofOption:)) ?? change.new.place)
    }
}

extension FieldChange {
    /// The field under its new name.
    fileprivate var subject: String { "'\(new.name)' of '\(newModel.name)'" }
}
