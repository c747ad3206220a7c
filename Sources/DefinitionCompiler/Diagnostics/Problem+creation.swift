import DefinitionModel

/// Messages about records that no role, or not every role that should, can create.
extension Problem {
    static func requiredNeverWritable(_ unwritable: UnwritableField) -> Problem {
        .error(
            "no record of \(quoted(unwritable.model)) can ever be created: no role that may create "
                + "one may give the required \(quoted(unwritable.field)) a value",
            at: unwritable.range, help: unwritable.help, related: unwritable.creations)
    }

    static func requiredNotWritable(_ unwritable: UnwritableField) -> Problem {
        .warning(
            "\(quotedList(unwritable.roles)) may create records of "
                + "\(quoted(unwritable.model)), but not give the required "
                + "\(quoted(unwritable.field)) a value, so that all are refused",
            at: unwritable.range, help: unwritable.help, related: unwritable.creations)
    }

    /// `gaps` are required fields that some of the roles may not give a value.
    static func neverCreatable(
        _ model: String, at range: Range<Int>, gaps: [RelatedRange]
    ) -> Problem {
        .error(
            "no record of \(quoted(model)) can ever be created: no role that may create one may "
                + "give all of its required fields a value",
            at: range,
            help: "let one role write them all: 'createAllowed=\"OWN\"' in a credential of each",
            related: gaps)
    }

    /// `limits` are the models that some of the roles may create.
    static func neverCreatable(_ cycle: RequirementCycle, limits: [RelatedRange]) -> Problem {
        .error(
            "no record of \(quotedList(cycle.models, "or")) can ever be created: they require "
                + "each other, and no role may create them all",
            at: cycle.range,
            help: "let one role create them all, or leave 'required' out of one of the relations",
            related: cycle.otherRequirements + limits)
    }

    static func requiredCycle(_ cycle: RequirementCycle, by roles: [String]) -> Problem {
        let names = quotedList(cycle.models)
        return cycle.models.count == 1
            ? .warning(
                "the first record of \(names) can only refer to itself, since it requires another",
                at: cycle.range, help: "leave 'required' out if a record can do without")
            : .warning(
                "\(names) require each other, so that the first of them can only be created "
                    + "together, in one push of \(quotedList(roles, "or"))",
                at: cycle.range,
                help: "leave 'required' out of one of the relations if a record can do without",
                related: cycle.otherRequirements)
    }
}

extension UnwritableField {
    fileprivate var help: String {
        let right = "write 'createAllowed=\"OWN\"' in its credential"
        return switch type {
        case .text, .integer, .decimal, .boolean, .date:
            "\(right), give it a 'defaultValue', or leave 'required' out"
        case .belongsTo, .file: "\(right), or leave 'required' out"
        }
    }
}

/// Models that require each other, or one that requires itself.
struct RequirementCycle {
    let models: [String]
    /// The relations along a cycle from the first model back to it.
    let requirements: [Requirement]
}

struct Requirement {
    let model: String
    let target: String
    /// The range of the field's name.
    let range: Range<Int>
}

extension RequirementCycle {
    fileprivate var range: Range<Int> { requirements.first?.range ?? 0..<0 }

    fileprivate var otherRequirements: [RelatedRange] {
        requirements.dropFirst().prefix(maxRequirementsShown).map {
            RelatedRange(
                range: $0.range,
                message: "\(quoted($0.model)) requires a record of \(quoted($0.target))")
        }
    }
}

private let maxRequirementsShown = 5
