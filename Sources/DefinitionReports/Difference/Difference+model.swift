import DefinitionModel

/// Messages for differences in models.
extension Difference {
    static func modelAdded(_ model: Model) -> Difference {
        Difference(
            kind: .modelAdded, model: model.name, field: nil,
            message: "the model '\(model.name)' is new", data: .safe("it has no records yet"),
            clients: unknownToThem, oldPlace: nil, newPlace: model.place)
    }

    static func modelRemoved(_ model: Model) -> Difference {
        Difference(
            kind: .modelRemoved, model: model.name, field: nil,
            message: "the model '\(model.name)' is gone",
            data: .breaking("its records stay stored, and nobody can see them"),
            clients: .breaking("what they send of it is refused"),
            oldPlace: model.place, newPlace: nil)
    }

    static func modelRenamed(from old: Model, to new: Model) -> Difference {
        ofModel(
            .modelRenamed, "the model '\(new.name)' was called '\(old.name)'", from: old, to: new,
            data: broughtOver("records"),
            clients: oldNameRefused)
    }

    /// Two models merged by a rename. The message includes what this means for the records of the
    /// old model.
    static func modelMerged(
        _ old: Model, into new: Model, meeting differences: [Difference]
    ) -> Difference {
        let verdict = broughtOver("records")
        let met = differences.map(\.message).joined(separator: "; ")
        return Difference(
            kind: .modelMerged, model: new.name, field: nil,
            message: "the model '\(old.name)' has become part of '\(new.name)'",
            data: Verdict(
                impact: differences.map(\.data.impact).max() ?? .safe,
                reason: verdict.reason + (met.isEmpty ? "" : "; for them, \(met)")),
            clients: oldNameRefused,
            oldPlace: old.place, newPlace: new.place)
    }

    static func conflictModeChanged(from old: Model, to new: Model) -> Difference {
        ofModel(
            .conflictModeChanged,
            "the conflict mode of '\(new.name)' is \(new.conflictMode.rawValue), and was "
                + old.conflictMode.rawValue,
            from: old, to: new, option: "conflictMode",
            data: .safe("conflicts that are open stay so until someone resolves them"),
            clients: verdict(onModeChangedFrom: old.conflictMode, to: new.conflictMode))
    }

    static func descriptionChanged(from old: Model, to new: Model) -> Difference {
        ofModel(
            .descriptionChanged, "the description of '\(new.name)' changed", from: old,
            to: new, option: "description", data: untouched, clients: forPeople)
    }

    static func earlierNamesChanged(from old: Model, to new: Model) -> Difference {
        ofModel(
            .earlierNamesChanged, "'\(new.name)' has other earlier names", from: old, to: new,
            option: "renamedFrom", data: untouched, clients: sameName)
    }

    static func aliasChanged(from old: Model, to new: Model) -> Difference {
        ofModel(
            .aliasChanged,
            "other products' clients know '\(new.name)' as '\(new.foreignName)', "
                + "and knew it as '\(old.foreignName)'", from: old, to: new, option: "alias",
            data: untouched, clients: otherName)
    }

    static func joinChanged(from old: Model, to new: Model) -> Difference {
        let relation = { (model: Model) in model.join.map { "the relation '\($0.name)'" } ?? "none"
        }
        return ofModel(
            .aliasChanged,
            "to other products' clients, '\(new.name)' is \(relation(new)), and was "
                + relation(old), from: old, to: new, option: "joins", data: untouched,
            clients: old.join == nil ? newRelation : otherName)
    }

    static func writtenOtherwise(from old: Model, to new: Model) -> Difference {
        ofModel(
            .writtenOtherwise, "'\(new.name)' is written differently, with the same meaning",
            from: old,
            to: new, data: untouched, clients: newDigest)
    }

    static func credentialsRewritten(
        of roles: [Role], from old: Model, to new: Model
    ) -> Difference {
        Difference(
            kind: .credentialRewritten, model: new.name, field: nil,
            message: rewritten(roles, for: "'\(new.name)'"), data: untouched, clients: sameRights,
            oldPlace: roles.lazy.compactMap { old.credentials[$0]?.place }.first ?? old.place,
            newPlace: roles.lazy.compactMap { new.credentials[$0]?.place }.first ?? new.place)
    }

    private static func ofModel(
        _ kind: Kind, _ message: String, from old: Model, to new: Model, option: String? = nil,
        data: Verdict, clients: Verdict
    ) -> Difference {
        Difference(
            kind: kind, model: new.name, field: nil, message: message, data: data,
            clients: clients, oldPlace: old.place(ofExtension: option),
            newPlace: new.place(ofExtension: option))
    }
}

extension Difference {
    static let sameName = Verdict.safe("the name that they know is the same")
    static let newRelation = Verdict.safe("a client that does not know the relation ignores it")
    // A server translates for the clients that name their version.
    static let otherName = Verdict.breaking(
        "unless they name their version, other products' clients do not know the new name")
    static let oldNameRefused = Verdict.breaking(
        "unless they name their version, what they send under the old name is refused")
    static let sameRights = Verdict.safe("every right is the same")

    /// The verdict for content that deployment migrates.
    static func broughtOver(_ things: String) -> Verdict {
        .safe("its \(things) are brought over to the new name")
    }

    static func rewritten(_ roles: [Role], for subject: String) -> String {
        let (credentials, say) = roles.count == 1 ? ("credential", "says") : ("credentials", "say")
        return "the \(credentials) of \(quotedList(roles.map(\.name))) for \(subject) \(say) "
            + "something else, and every right is the same"
    }

    /// `MANUAL` and `MERGE` keep both sides for someone to resolve.
    private static func verdict(
        onModeChangedFrom old: ConflictMode, to new: ConflictMode
    ) -> Verdict {
        switch (old, new) {
        case (.manual, .merge):
            .safe("changes to different fields are merged, and no longer conflict")
        case (.merge, .manual):
            .safe("changes to different fields conflict again")
        case (.overwrite, .manual), (.overwrite, .merge), (.discard, .manual), (.discard, .merge):
            .breaking("they get conflicts that someone has to resolve, and may have no way to")
        case (_, .overwrite):
            .breaking("their late changes replace those of others, and nobody is asked")
        case (_, .discard):
            .breaking("their late changes are discarded, and nobody is asked")
        case (.manual, .manual), (.merge, .merge): .safe("it is the same")
        }
    }
}

extension Model {
    /// The place of an attribute of Waggle's own, or of the model.
    fileprivate func place(ofExtension name: String?) -> SourcePlace {
        writtenExtensions.first { $0.name == name }?.place ?? place
    }
}
