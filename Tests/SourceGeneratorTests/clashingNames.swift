import DefinitionModel

/// Names with a meaning in Swift or in the generated code, or with equal spelling in Swift.
func clashingNames() -> Definition {
    definition(
        [
            model("string", [field("date", .date(DateLimits()), required: true)]),
            model("String", [field("other", .belongsTo(Relation(model: "string")))]),
            model("date"), model("record"), model("ExactDecimal"), model("Type"),
            model("CodingKeys", [field("codingKeys", .boolean, required: true)]),
            model("work_order"), model("workOrder"), model("WorkOrder"), model("WORKORDER"),
            model("_"), model("_9lives"),
            model("keywords", keywords.map { field($0, .integer(IntegerLimits())) }),
            model("members", members.map { field($0, required: true) }),
            model("spellings", spellings.map { field($0, .boolean) }),
        ] + clashingRelations(), application: "default")
}

/// Inverse relations that conflict with fields, and enumerations that conflict with models.
private func clashingRelations() -> [Model] {
    let home = FieldType.belongsTo(Relation(model: "home"))
    return [
        model("home", [field("guests", .boolean), field("reference"), field("home", home)]),
        model(
            "guest",
            [
                field("home", home, required: true), field("second_home", home, read: [:]),
                field("secondHome", home),
                field("status", chosen(from: values), required: true, default: .text("default")),
                field("Status", chosen(from: ["a"]), default: .text("a"), read: [:]),
                field("string", chosen(from: ["a"])), field("query", chosen(from: ["a"])),
            ]),
        model("value", [field("guest", chosen(from: ["a"])), field("home", home)]),
        model("Waggle"), model("query"), model("instant"),
    ]
}

private func chosen(from values: [String]) -> FieldType {
    .text(TextLimits(allowedValues: values))
}

private let values = [
    "default", "in work", "IN_WORK", "inWork", "other", "none", "1st", "", "+", "-", "init", "self",
    "rawValue", "say \"hi\"", "Grüße", "蜂", "e\u{301}",
]

private let keywords = [
    "Any", "Self", "actor", "any", "as", "async", "await", "borrow", "borrowing", "break", "case",
    "catch",
    "class", "consume", "consuming", "continue", "copy", "default", "defer", "deinit", "discard",
    "do", "dynamic", "each", "else",
    "enum", "extension", "false", "fileprivate", "for", "func", "get", "guard", "if", "import",
    "in", "indirect", "init", "inout", "internal", "is", "isolated", "lazy", "let", "macro",
    "mutating", "nil", "nonisolated", "open", "operator", "optional", "override", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "required", "rethrows", "return",
    "self", "sending", "set", "some", "static", "struct", "subscript", "super", "switch", "then",
    "throw", "throws",
    "true", "try", "typealias", "unowned", "unsafe", "var", "weak", "where", "while", "yield",
]

private let members = [
    "AllCases", "CodingKeys", "ID", "Protocol", "RawValue", "Type", "allCases", "isConflicted",
    "debugDescription", "decoder", "definitionDigest", "description", "encode", "encoder", "fields",
    "group", "guid", "hash", "hashValue", "hasher", "id", "intValue", "model", "modelName",
    "newGuid", "none", "owner", "path", "property", "rawValue", "record", "reference",
    "stringValue", "stored", "values",
]

private let spellings = [
    "unit_price", "unitPrice", "UnitPrice", "URL", "url", "URLPath", "HTTP2", "x", "_x", "__x", "X",
    "_", "__", "_1", "a_1", "a1", "A__b",
]

/// Every type with limits and defaults that are difficult to write as literals.
func extremeValues() throws -> Definition {
    let longest = String(repeating: "Abcdefghij", count: 4)
    return definition(
        [
            try model("defaults", defaults()), try model("limits", limits()),
            model(longest, types.flatMap { longNames(longest, $0) }),
        ], application: "extremes")
}

private func defaults() throws -> [Field] {
    let text = FieldType.text(TextLimits(maxLength: 4096))
    let quotes = #"say "hi", "" or """; \ and \(nothing)"#
    let long = String(repeating: "No line is long enough for this. ", count: 7)
    let whole = FieldType.integer(IntegerLimits(minValue: .min, maxValue: .max))
    let zeros = String(repeating: "0", count: 37)
    let nines = String(repeating: "9", count: 38)
    let exact = FieldType.decimal(DecimalLimits(scale: 38))
    return [
        field("empty", text, required: true, default: .text("")),
        field("quotes", text, required: true, default: .text(quotes)),
        field("lines", text, default: .text("one\ntwo\r\n\tthree\u{2028}\u{7f}\u{202e}")),
        field("letters", text, default: .text("Grüße, 蜂 🐝 e\u{301} \u{200d}")),
        field("long", text, required: true, default: .text(long + quotes + "\n" + long + " ")),
        field("lowest", whole, required: true, default: .integer(.min)),
        field("highest", whole, default: .integer(.max)),
        field(
            "tiny", exact, required: true,
            default: .decimal(try decimal("-0.\(zeros)1"))),
        field(
            "huge", exact, default: .decimal(try decimal(nines))),
        field("yes", .boolean, required: true, default: .boolean(true)),
        field("no", .boolean, default: .boolean(false)),
        field("then", .date(DateLimits()), required: true, default: .date(milliseconds: -1)),
        field("later", .date(DateLimits()), default: .date(milliseconds: .max)),
    ]
}

private func limits() throws -> [Field] {
    let low = try decimal("-0.5")
    let high = try decimal("1000000.25")
    let cases: [(String, DecimalLimits)] = [
        ("unlimited", DecimalLimits()),
        ("whole", DecimalLimits(scale: 0)),
        ("fromLow", DecimalLimits(scale: 2, minValue: low)),
        ("aboveLow", DecimalLimits(scale: 2, minValue: low, includesMinValue: false)),
        ("upToHigh", DecimalLimits(scale: 2, maxValue: high)),
        ("belowHigh", DecimalLimits(scale: 2, maxValue: high, includesMaxValue: false)),
        ("between", DecimalLimits(scale: 2, minValue: low, maxValue: high)),
        (
            "strictlyBetween",
            DecimalLimits(
                scale: 2, minValue: low, maxValue: high, includesMinValue: false,
                includesMaxValue: false)
        ),
    ]
    return cases.map { field($0.0, .decimal($0.1)) } + [
        field("short", .text(TextLimits(maxLength: 1))),
        field("stars", .integer(IntegerLimits(minValue: 1, maxValue: 5)), required: true),
    ]
}

private let types: [FieldType] = [
    .text(TextLimits()),
    .text(TextLimits(allowedValues: [String(repeating: "Abcdefghij", count: 4), "a"])),
    .integer(IntegerLimits()), .decimal(DecimalLimits()), .boolean,
    .date(DateLimits()),
    .belongsTo(
        Relation(model: String(repeating: "Abcdefghij", count: 4), analyzesConflict: true)),
    .file,
]

/// Required, optional, and required but hidden, each with a name of 40 characters.
private func longNames(_ longest: String, _ type: FieldType) -> [Field] {
    let stem = { (end: String) in "x\(longest)".prefix(40 - end.count) + end }
    let isChosen = type != .text(TextLimits()) && type.name == .text
    let start = isChosen ? "CHOSEN" : type.name.rawValue.replacing("_", with: "")
    return [
        field(String(stem("\(start)A")), type, required: true),
        field(String(stem("\(start)B")), type),
        field(String(stem("\(start)C")), type, required: true, read: [:]),
    ]
}
