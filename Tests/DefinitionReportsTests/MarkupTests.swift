import DefinitionModel
import DefinitionReports
import Foundation
import FoundationXML
import Testing

/// Parses markup as XML, and collects its text.
private final class Reader: NSObject, XMLParserDelegate {
    private(set) var text = ""
    private(set) var elements: Set<String> = []
    private(set) var attributes: Set<String> = []

    /// Nil if the markup is not well-formed.
    static func read(_ markup: String) -> Reader? {
        let reader = Reader()
        let parser = XMLParser(data: Data(markup.utf8))
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements.insert(name)
        self.attributes.formUnion(attributes.keys)
        text += attributes.values.joined(separator: "\n")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }
}

/// Names that the compiler refuses; reports escape them all the same.
private let hostileNames = [
    "</style><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)",
    "&amp;&#0;", "]]>", "<!--", "\u{0}\u{1F}\u{FFFF}", "a\nb\tc", "\u{202E}gpj.exe", "ünïcode→",
]

private func hostile(_ name: String) -> Definition {
    let role = Role(group: name, deviceCategory: name)
    let all = FieldCredential(
        create: .all, read: .own, update: .group, place: Sample.place)
    let fields = [
        Sample.field(name, isRequired: true, credentials: [role: all]),
        Sample.relation(name + "2", to: name),
    ]
    let model = Sample.model(
        name, fields: fields,
        credentials: [
            role: ModelCredential(
                create: .all, read: .group, update: .own, delete: .all, resolvesConflicts: true,
                place: Sample.place)
        ])
    return Sample.definition(name, roles: [role], models: [model])
}

private func markup(of definition: Definition) -> [String] {
    [renderAsHTML(RightsMatrix(definition)), renderAsSVG(Diagram(definition))]
}

@Suite struct MarkupTests {
    @Test(arguments: Documents.names)
    func markupIsWellFormed(name: String) throws {
        for text in markup(of: try Documents.definition(name)) {
            #expect(Reader.read(text) != nil)
        }
    }

    /// A hostile name gives the same elements as a harmless one, and appears in the text unchanged.
    @Test(arguments: hostileNames)
    func namesAreWordsAndNotMarkup(name: String) throws {
        for (text, harmless) in zip(markup(of: hostile(name)), markup(of: hostile("harmless"))) {
            let reader = try #require(Reader.read(text))
            let expected = try #require(Reader.read(harmless))
            #expect(reader.elements == expected.elements)
            #expect(reader.attributes == expected.attributes)
            let isLegal = name.unicodeScalars.allSatisfy {
                $0 >= " " || "\n\t".contains(Character($0))
            }
            if isLegal, !name.contains("\u{FFFF}") { #expect(reader.text.contains(name)) }
        }
    }

    @Test func descriptionsAreTooltips() throws {
        for text in markup(of: try Documents.definition("parcels")) {
            let reader = try #require(Reader.read(text))
            #expect(reader.text.contains("What is sent.") && reader.text.contains("Where it is."))
        }
    }

    @Test(arguments: Documents.names)
    func nothingIsFetched(name: String) throws {
        for text in markup(of: try Documents.definition(name)) {
            let own = text.replacing(#"xmlns="http://www.w3.org/2000/svg""#, with: "")
            for sign in ["http:", "https:", "//", "src=", "href=", "url(", "@import"] {
                #expect(!own.contains(sign), "\(sign)")
            }
        }
    }

    @Test func pageExplainsEveryLevelAndSign() throws {
        let page = renderAsHTML(RightsMatrix(try Documents.definition("levels")))
        let text = try #require(Reader.read(page)).text
        for words in [
            "NONE", "OWN in GROUP", "OWN", "GROUP", "ALL", "no record", "every record", "create",
            "resolve conflicts", "reaches no further than the model's",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let plain = renderAsHTML(RightsMatrix(try Documents.definition("Permissions")))
        let short = try #require(Reader.read(plain)).text
        #expect(!short.contains("OWN in GROUP") && !short.contains("with a corner"))
    }
}
