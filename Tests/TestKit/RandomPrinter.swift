/// Prints a document in one of many equivalent forms: any encoding, with or without namespace
/// prefixes, attributes and sections in any order, and white space, comments, entities and
/// character data wherever they change nothing.
package struct RandomPrinter {
    private var random: SplitMix64
    private let encoding: TextEncoding
    private let lineEnd: String
    /// The prefix of elements, with its colon; nil without a namespace.
    private let prefix: String?
    /// The prefix of Waggle's own attributes.
    private let ownPrefix: String
    private var text = ""

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        encoding = random.one(of: TextEncoding.allCases) ?? .utf8
        lineEnd = random.one(of: ["\n", "\r\n", "\r"]) ?? "\n"
        prefix = random.one(of: [nil, "", "m:", "a.b-c:"]) ?? nil
        ownPrefix = random.one(of: ["w", "waggle", "_1"]) ?? "w"
    }

    /// The bytes of the whole document.
    package mutating func print(_ root: Markup) -> [UInt8] {
        text = ""
        let hasMark = random.flip()
        // Latin-1 can be detected by its declaration only.
        if encoding == .latin1 || random.flip() {
            text += "<?xml version=\"1.0\" encoding=\"\(encoding.name)\"?>"
        }
        // Without a byte-order mark, UTF-16 is detected by a leading '<'.
        if encoding == .utf8 || hasMark || !text.isEmpty { printNothing() }
        var root = root
        root.attributes += declarations
        print(element: root)
        printNothing()
        return encoding.bytes(of: text, withMark: hasMark)
    }

    private var declarations: [Markup.Attribute] {
        guard let prefix else { return [] }
        let name = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix.dropLast())"
        return [Markup.Attribute(name, "http://schema.mobeelizer.com/application")]
    }

    private mutating func print(element: Markup) {
        let name = (prefix ?? "") + element.name
        text += "<\(name)"
        for attribute in written(element.attributes).shuffled(using: &random) {
            printSpace(atLeastOne: true)
            print(attribute)
        }
        printSpace()
        let children = arranged(element)
        if element.text.isEmpty && children.isEmpty && random.flip() {
            text += "/>"
            return
        }
        text += ">"
        print(content: element.text)
        printNothing()
        for child in children {
            print(element: child)
            printNothing()
        }
        text += "</\(name)"
        printSpace()
        text += ">"
    }

    /// Attributes with their default value may be omitted.
    private mutating func written(_ attributes: [Markup.Attribute]) -> [Markup.Attribute] {
        attributes.filter { !Self.meaningless.contains($0) || random.flip() }
    }

    private static let meaningless: Set = [
        Markup.Attribute("conflictMode", "MANUAL"), Markup.Attribute("required", "false"),
        Markup.Attribute("createAllowed", "NONE"), Markup.Attribute("readAllowed", "NONE"),
        Markup.Attribute("updateAllowed", "NONE"), Markup.Attribute("deleteAllowed", "NONE"),
        Markup.Attribute("resolveConflictAllowed", "false"),
    ]

    /// Sections and credentials have no order, and an empty section may be omitted.
    private mutating func arranged(_ element: Markup) -> [Markup] {
        switch element.name {
        case "application", "model", "field":
            element.children.shuffled(using: &random).filter {
                !$0.children.isEmpty || random.flip()
            }
        case "credentials": element.children.shuffled(using: &random)
        case _: element.children
        }
    }

    private mutating func print(_ attribute: Markup.Attribute) {
        let quote: Character = random.flip() ? "\"" : "'"
        text += spelled(attribute.name)
        printSpace()
        text += "="
        printSpace()
        text.append(quote)
        for scalar in attribute.value.unicodeScalars {
            print(scalar, asReference: scalar == quote.unicodeScalars.first || isBlank(scalar))
        }
        text.append(quote)
    }

    private func spelled(_ name: String) -> String {
        if name == "xmlns:w" { return "xmlns:\(ownPrefix)" }
        return name.hasPrefix("w:") ? ownPrefix + name.dropFirst() : name
    }

    /// A text in several parts. White space around it is ignored.
    private mutating func print(content: String) {
        for scalar in content.unicodeScalars {
            if random.one(of: Array(0..<8)) == 0 { printComment() }
            if random.one(of: Array(0..<8)) == 0, encoding.has(scalar) {
                text += "<![CDATA[\(scalar)]]>"
            } else {
                print(scalar, asReference: false)
            }
        }
    }

    private mutating func print(_ scalar: Unicode.Scalar, asReference: Bool) {
        let isReference = asReference || !encoding.has(scalar) || random.number(in: 0...9) == 0
        switch scalar {
        case _ where isReference && random.flip(): text += "&#\(scalar.value);"
        case _ where isReference: text += "&#x00\(String(scalar.value, radix: 16));"
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.unicodeScalars.append(scalar)
        }
    }

    /// White space inside a text must not end up at its ends or change.
    private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\n" || scalar == "\r" || scalar == " "
    }

    private mutating func printSpace(atLeastOne: Bool = false) {
        let length = atLeastOne ? random.number(in: 1...2) : max(0, random.number(in: -3...2))
        for _ in 0..<length { text += random.one(of: [" ", "\t", lineEnd]) ?? " " }
    }

    /// White space, comments and processing instructions between elements.
    private mutating func printNothing() {
        printSpace()
        switch random.number(in: 0...9) {
        case 0: printComment()
        case 1: text += "<?note <field name='a'>?>"
        case _: break
        }
        printSpace()
    }

    private mutating func printComment() {
        let comments = ["<!---->", "<!-- é </field> & -->", "<!--\(lineEnd)<a b='c'-->"]
        text += random.one(of: comments) ?? ""
    }
}
