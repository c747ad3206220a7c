import ChangeRules
import DefinitionModel
import JSON

/// Faults of a query that depend on the definition.
extension QueryFault {
    static func unknownField(
        _ name: String, of model: Model, _ code: Code, at path: String
    ) -> QueryFault {
        QueryFault(
            code, at: path, "the model '\(model.name)' has no field '\(name)'",
            help: "its fields are \(quotedList(model.fields.map(\.name)))")
    }

    static func unknownProperty(_ name: String, _ code: Code, at path: String) -> QueryFault {
        QueryFault(
            code, at: path, "there is no '\(name)'",
            help: "beside fields there are \(quotedList(Operand.properties.keys.sorted()))")
    }

    static func noRelation(_ field: Field, _ code: Code, at path: String) -> QueryFault {
        QueryFault(
            code, at: path, "'\(field.name)' is no relation, but \(field.type.name.rawValue)",
            help: "only a field of the type BELONGS_TO leads to another record")
    }

    static func tooManySteps(_ name: String, _ code: Code, at path: String) -> QueryFault {
        QueryFault(
            code, at: path, "'\(name)' goes more than one step away",
            help: "write 'FIELD' or 'RELATION.FIELD'")
    }

    static func wrongType(
        _ operand: String, _ type: FieldTypeName, at path: String
    ) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "this is no value of '\(operand)'",
            help: "'\(operand)' is \(type.rawValue): write \(type.example)")
    }

    static func comparesNull(_ operand: String, at path: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "nothing can be compared with null",
            help: #"write {"null": "\#(operand)"}, or {"not": {"null": "\#(operand)"}}"#)
    }

    static func unfitOperator(
        _ word: String, for operand: String, _ type: FieldTypeName, at path: String
    ) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path,
            "'\(word)' is not for '\(operand)', which is \(type.rawValue)",
            help: "the operators for it are \(quotedList(type.kind.operators))")
    }

    static func incomparable(
        _ operand: String, _ type: FieldTypeName, with other: String, _ otherType: FieldTypeName,
        at path: String
    ) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path,
            "'\(operand)' is \(type.rawValue) and '\(other)' is \(otherType.rawValue)",
            help: "compare fields of one type, or INTEGER with DECIMAL")
    }

    static func noJSON(_ operand: String, at path: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "'\(operand)' has no JSON to look into",
            help: "'inside' is for a field of the type TEXT with the format json")
    }

    static func noPlace(_ operand: String, _ code: Code, at path: String) -> QueryFault {
        QueryFault(
            code, at: path, "'\(operand)' is no point on the earth",
            help: "distances and areas are for a field of the type TEXT with the format geo")
    }

    static func illegalPattern(at path: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "the pattern cannot be matched",
            help: "write a '\\' only before '%', '_' or '\\', and at most "
                + "\(LikePattern.maxCharacters) characters beside '%'")
    }

    static func unsortable(_ operand: String, at path: String) -> QueryFault {
        QueryFault(
            .sortIllegal, at: path, "nothing can be sorted by '\(operand)', which is FILE",
            help: "sort by a field of another type")
    }

    static func repeatedKey(_ operand: String, at path: String) -> QueryFault {
        QueryFault(
            .sortIllegal, at: path, "'\(operand)' comes twice",
            help: "name each value once: where it is the same, it stays the same")
    }

    static func tooManyKeys(_ count: Int, max: Int) -> QueryFault {
        QueryFault(
            .sortIllegal, at: "sort", "\(count) values to sort by are too many",
            help: "name \(max) at most")
    }

    static func tooDeep(max: Int, at path: String) -> QueryFault {
        QueryFault(
            .filterTooLarge, at: path, "the conditions stand too deep in each other",
            help: "nest \(max) at most")
    }

    static func tooManyConditions(max: Int, at path: String) -> QueryFault {
        QueryFault(
            .filterTooLarge, at: path, "the filter has too many conditions",
            help: "write \(max) at most; 'in' is one, however long its list, and 'inside' is ten")
    }

    static func tooManyValues(_ count: Int, max: Int, at path: String) -> QueryFault {
        QueryFault(
            .filterTooLarge, at: path, "\(count) values are too many for one 'in'",
            help: "write \(max) at most")
    }
}

extension ValueKind {
    /// The operators in the order in which messages list them.
    fileprivate var operators: [String] {
        let equality = ["eq", "ne", "in", "null"]
        let ranges = hasRanges ? ["lt", "le", "gt", "ge", "between"] : []
        return equality + ranges + (self == .text ? ["like", "prefix"] : [])
    }
}

extension FieldTypeName {
    fileprivate var example: String {
        switch self {
        case .text: "a string"
        case .integer: "a whole number of 64 bits"
        case .decimal: #"a string of digits, such as "12.5""#
        case .boolean: "true or false"
        case .date: "milliseconds since 1970 in UTC, a whole number"
        case .belongsTo: "a guid, as a string"
        case .file: #"{"guid": "…", "filename": "…"}"#
        }
    }
}
