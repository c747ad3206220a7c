import DefinitionModel

/// Messages for differences in the application as a whole.
extension Difference {
    static func applicationRenamed(from old: String, to new: String) -> Difference {
        ofApplication(
            .applicationRenamed, "the application is called '\(new)', and was '\(old)'",
            data: untouched, clients: signInByName)
    }

    static func vendorRenamed(from old: String, to new: String) -> Difference {
        ofApplication(
            .vendorRenamed, "the vendor is called '\(new)', and was '\(old)'", data: untouched,
            clients: signInByName)
    }

    static var applicationDescriptionChanged: Difference {
        ofApplication(
            .descriptionChanged, "the description of the application changed",
            data: untouched, clients: forPeople)
    }

    static var applicationWrittenOtherwise: Difference {
        ofApplication(
            .writtenOtherwise,
            "the conflict mode of the application changed, but that of no model",
            data: untouched, clients: newDigest)
    }

    static func deviceCategoryAdded(_ name: String) -> Difference {
        ofApplication(
            .deviceCategoryAdded, "the device category '\(name)' is new", data: untouched,
            clients: unknownToThem)
    }

    static func deviceCategoryRemoved(_ name: String, had roles: [Role]) -> Difference {
        ofApplication(
            .deviceCategoryRemoved, "the device category '\(name)' is gone", data: untouched,
            clients: roles.isEmpty
                ? .safe("no role had it") : .breaking("nobody can sign in on such a device"),
            subject: name)
    }

    static func groupAdded(_ name: String) -> Difference {
        ofApplication(
            .groupAdded, "the group '\(name)' is new", data: untouched, clients: unknownToThem)
    }

    static func groupRemoved(_ name: String) -> Difference {
        ofApplication(
            .groupRemoved, "the group '\(name)' is gone",
            data: .breaking(
                "its records stay, but no right at GROUP reaches them any more"),
            clients: .breaking("its users cannot sign in until they are in another group"),
            subject: name)
    }

    static func roleAdded(_ role: Role) -> Difference {
        ofApplication(
            .roleAdded, "the role '\(role.name)' is new", data: untouched, clients: unknownToThem)
    }

    static func roleRemoved(_ role: Role) -> Difference {
        ofApplication(
            .roleRemoved, "the role '\(role.name)' is gone", data: untouched,
            clients: .breaking(
                "users of the group '\(role.group)' cannot sign in on a device of the category "
                    + "'\(role.deviceCategory)'"),
            subject: role.name)
    }

    private static func ofApplication(
        _ kind: Kind, _ message: String, data: Verdict, clients: Verdict, subject: String? = nil
    ) -> Difference {
        Difference(
            kind: kind, model: nil, field: nil, message: message, data: data, clients: clients,
            oldPlace: nil, newPlace: nil, subject: subject)
    }
}

/// Verdicts that several differences share.
extension Difference {
    static let untouched = Verdict.safe("nothing that is stored changes")
    static let forPeople = Verdict.safe("it is documentation, and part of newly generated code")
    static let newDigest = Verdict.safe("it means the same")
    static let unknownToThem = Verdict.safe("they need not know of it")
    private static let signInByName = Verdict.breaking(
        "clients of the original platform sign in by that name")
}
