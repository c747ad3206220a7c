import DefinitionModel
import Mustache

struct TextView {
    /// Nil if a text may be empty.
    let minLength: Int?
    let maxLength: Int
    let pattern: String?

    init?(_ type: FieldType, in dialect: Dialect) {
        guard case .text(let limits) = type, limits.format == nil else { return nil }
        minLength = limits.minLength > 0 ? limits.minLength : nil
        maxLength = limits.maxLength
        pattern = limits.pattern.map { dialect.comment(inComment($0.source)) }
    }
}

extension TextView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "minLength": minLength
        case "maxLength": maxLength
        case "pattern": pattern
        case _: nil
        }
    }
}

/// A text with a format.
struct FormatView {
    let maxBytes: Int

    init?(_ type: FieldType, as kind: TextFormat.Kind) {
        guard let format = type.format, format.kind == kind else { return nil }
        maxBytes = format.maxBytes
    }
}

extension FormatView: MustacheParent {
    func child(named member: String) -> Any? { member == "maxBytes" ? maxBytes : nil }
}

struct IntegerView {
    let lowest: Int64
    let highest: Int64

    init?(_ type: FieldType) {
        guard case .integer(let limits) = type else { return nil }
        lowest = limits.minValue
        highest = limits.maxValue
    }
}

extension IntegerView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "lowest": lowest
        case "highest": highest
        case _: nil
        }
    }
}

/// At most one of each exclusive and inclusive limit is present.
struct DecimalView {
    let scale: Int
    let above: String?
    let from: String?
    let below: String?
    let upTo: String?

    init?(_ type: FieldType) {
        guard case .decimal(let limits) = type else { return nil }
        let lowest = limits.minValue?.description
        let highest = limits.maxValue?.description
        scale = limits.scale
        above = limits.includesMinValue ? nil : lowest
        from = limits.includesMinValue ? lowest : nil
        below = limits.includesMaxValue ? nil : highest
        upTo = limits.includesMaxValue ? highest : nil
    }
}

extension DecimalView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "scale": scale
        case "above": above
        case "from": from
        case "below": below
        case "upTo": upTo
        case _: nil
        }
    }
}

/// In readable form; nil without a limit.
struct DateView {
    let earliest: String?
    let latest: String?

    init?(_ type: FieldType) {
        guard case .date(let limits) = type else { return nil }
        earliest = limits.minMilliseconds.map(readableInstant)
        latest = limits.maxMilliseconds.map(readableInstant)
    }
}

extension DateView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "earliest": earliest
        case "latest": latest
        case _: nil
        }
    }
}

struct RelationView {
    /// The type of the target's records.
    let target: String
    let analyzesConflict: Bool

    init?(_ type: FieldType, types: CodeNames) {
        guard case .belongsTo(let relation) = type else { return nil }
        target = types.name(of: relation.model)
        analyzesConflict = relation.analyzesConflict
    }
}

extension RelationView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "target": target
        case "analyzesConflict": analyzesConflict
        case _: nil
        }
    }
}
