import DefinitionModel

/// The sentences about records that nobody can create, or not everybody who should.
extension Problem {
    static func requiredNeverWritable(_ shortfall: Shortfall) -> Problem {
        .error(
            "no record of \(quoted(shortfall.model)) can ever be created: no role that may create "
                + "one may give the required \(quoted(shortfall.field)) a value",
            at: shortfall.range, help: shortfall.help, related: shortfall.creations)
    }

    static func requiredNotWritable(_ shortfall: Shortfall) -> Problem {
        .warning(
            "\(together(shortfall.roles)) may create records of \(quoted(shortfall.model)), but "
                + "not give the required \(quoted(shortfall.field)) a value, so that all are "
                + "refused",
            at: shortfall.range, help: shortfall.help, related: shortfall.creations)
    }

    /// `gaps`: required fields that some of the roles may not give a value.
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

    /// `limits`: which of the models some roles may create.
    static func neverCreatable(_ knot: Knot, limits: [RelatedRange]) -> Problem {
        .error(
            "no record of \(together(knot.models, "or")) can ever be created: they require each "
                + "other, and no role may create them all",
            at: knot.range,
            help: "let one role create them all, or leave 'required' out of one of the relations",
            related: knot.otherLinks + limits)
    }

    static func requiredCycle(_ knot: Knot, by roles: [String]) -> Problem {
        let names = together(knot.models)
        return knot.models.count == 1
            ? .warning(
                "the first record of \(names) can only refer to itself, since it requires another",
                at: knot.range, help: "leave 'required' out if a record can do without")
            : .warning(
                "\(names) require each other, so that the first of them can only be created "
                    + "together, in one push of \(together(roles, "or"))",
                at: knot.range,
                help: "leave 'required' out of one of the relations if a record can do without",
                related: knot.otherLinks)
    }
}

extension Shortfall {
    fileprivate var help: String {
        let right = "write 'createAllowed=\"OWN\"' in its credential"
        return switch type {
        case .text, .integer, .decimal, .boolean, .date:
            "\(right), give it a 'defaultValue', or leave 'required' out"
        case .belongsTo, .file: "\(right), or leave 'required' out"
        }
    }
}

/// Models that cannot do without each other, or one that cannot do without itself.
struct Knot {
    let models: [String]
    /// Required relations that lead from the first model back to it.
    let ring: [Link]
}

struct Link {
    let model: String
    let target: String
    /// Of the field's name.
    let range: Range<Int>
}

extension Knot {
    fileprivate var range: Range<Int> { ring.first?.range ?? 0..<0 }

    fileprivate var otherLinks: [RelatedRange] {
        ring.dropFirst().prefix(mostLinksShown).map {
            RelatedRange(
                range: $0.range,
                message: "\(quoted($0.model)) requires a record of \(quoted($0.target))")
        }
    }
}

private let mostLinksShown = 5
