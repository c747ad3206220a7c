/// JSON for reports, with keys in the order given. The same report always gives the same bytes.
enum ReportJSON {
    case object([Member])
    case array([ReportJSON])
    case text(String)
    case number(Int)
    case flag(Bool)
    case null

    struct Member {
        let key: String
        let value: ReportJSON
    }

    /// A nil text becomes null.
    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// Indented by two spaces, with short values on one line and a final newline.
    var document: String { written(indent: "") + "\n" }
}

extension ReportJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral
{
    init(dictionaryLiteral elements: (String, ReportJSON)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }

    init(arrayLiteral elements: ReportJSON...) {
        self = .array(elements)
    }

    init(stringLiteral text: String) {
        self = .text(text)
    }
}

extension ReportJSON {
    /// In bytes; a longer value is broken into lines.
    private static let widestLine = 100

    private func written(indent: String) -> String {
        let line = onOneLine
        switch shape {
        case .scalar: return line
        case .parts(let parts):
            guard line.utf8.count > Self.widestLine - indent.count else { return line }
            let inner = indent + "  "
            let lines = parts.members.map { inner + $0.prefix + $0.value.written(indent: inner) }
            return "\(parts.open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(parts.close)"
        }
    }

    private var onOneLine: String {
        switch shape {
        case .scalar(let text): text
        case .parts(let parts):
            parts.open
                + parts.members.map { $0.prefix + $0.value.onOneLine }.joined(separator: ", ")
                + parts.close
        }
    }

    private var shape: Shape {
        switch self {
        case .object(let members):
            .parts(
                Parts(
                    open: "{", close: "}",
                    members: members.map { (prefix: quoted($0.key) + ": ", value: $0.value) }))
        case .array(let members):
            .parts(
                Parts(open: "[", close: "]", members: members.map { (prefix: "", value: $0) }))
        case .text(let text): .scalar(quoted(text))
        case .number(let number): .scalar(String(number))
        case .flag(let flag): .scalar(flag ? "true" : "false")
        case .null: .scalar("null")
        }
    }

    private enum Shape {
        case scalar(String)
        case parts(Parts)
    }

    private struct Parts {
        let open: String
        let close: String
        /// The prefix is the member's key in an object, and empty in an array.
        let members: [(prefix: String, value: ReportJSON)]
    }
}

private func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\u{0}"..."\u{1F}": "\\u" + padded(String(scalar.value, radix: 16))
    case _: String(scalar)
    }
}

private func padded(_ hexadecimal: String) -> String {
    String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
}
