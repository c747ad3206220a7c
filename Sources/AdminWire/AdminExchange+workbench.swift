import Administration
import DefinitionCompiler
import DefinitionEditing
import DefinitionModel
import DefinitionReports
import Hummingbird
import JSON
import SourceGenerator
import SyncProtocol
import SyncServer

/// Definitions that are being designed: each request has the text.
extension AdminExchange {
    static let workbenchHandlers: [AdminOperation: Handler] = [
        .edit: working { try $0.edit() },
        .showSentRights: working { try $0.showSentRights() },
        .explainSentRight: working { try $0.explainSentRight() },
        .drawDiagram: working { try $0.drawDiagram() },
        .generateModels: working { try $0.generateModels() },
        .makePackage: working { try $0.makePackage() },
        .showLibrary: { $0.showLibrary() }, .listExamples: { $0.listExamples() },
        .showDiagnostic: { try $0.showDiagnostic() },
        .listDrafts: { try await $0.listDrafts() }, .showDraft: { try await $0.showDraft() },
        .writeDraft: { try await $0.writeDraft() },
        .removeDraft: { try await $0.removeDraft() },
        .followDraft: { try await $0.followDraft() }, .simulate: { try await $0.simulate() },
    ]

    /// A handler that compiles the text of a request: a large one on a thread for that, when it is
    /// the turn of the address.
    static func working(
        _ answer: @escaping @Sendable (AdminExchange) throws -> Response
    ) -> Handler {
        { exchange in
            let bytes = exchange.body.text("xml").utf8.count
            return try await exchange.host.work.compute(ofBody: bytes, on: exchange.context) {
                try answer(exchange)
            }
        }
    }

    func edit() throws -> Response {
        let source = SourceFile(name: "application.xml", bytes: Array(body.text("xml").utf8))
        let bytes: [UInt8]
        do throws(EditError) {
            bytes = try DefinitionEditing.edit(source, try edits())
        } catch {
            throw HTTPFailure(error)
        }
        return try designed(SourceFile(name: source.name, bytes: bytes))
    }

    /// The text with all that the pages show of it.
    private func designed(_ source: SourceFile) throws -> Response {
        let compilation = compile(source)
        let report = CheckReport(
            documents: [CheckReport.Document(source: source, compilation: compilation)])
        guard case .object(let checked) = try parseJSON(Array(renderAsJSON(report).utf8)) else {
            throw HTTPFailure.notJSON()
        }
        let definition = compilation.definition
        // Pages ask about the same text: what would change, and for its diagram.
        if let definition { desk.sentDefinitions.keep(definition, of: source.bytes) }
        let others = JSONValue.object([
            "xml": .string(String(decoding: source.bytes, as: UTF8.self)),
            "digest": JSONValue(text: definition?.digest),
            "fingerprint": JSONValue(text: definition?.fingerprint),
            "diagnostics": checked["diagnostics"] ?? .array([]),
            "outline": WrittenDocument(source).map { outline(of: $0.root) } ?? .null,
        ])
        // Rights are large: their text is put in as it is.
        let rights = definition.map { renderAsJSON(RightsMatrix($0)) } ?? "null"
        return .json(bytes: "{\"rights\":\(rights),\(others.text.dropFirst())".utf8)
    }

    func showSentRights() throws -> Response {
        let definition = try definition(sent: body.text("xml"))
        return .json(bytes: renderAsJSON(RightsMatrix(definition)).utf8)
    }

    func explainSentRight() throws -> Response {
        try explanation(in: definition(sent: body.text("xml")), file: "application.xml")
    }

    func drawDiagram() throws -> Response {
        let definition = try definition(sent: body.text("xml"))
        return .json(bytes: renderAsJSON(Diagram(definition)).utf8)
    }

    func generateModels() throws -> Response {
        let definition = try definition(sent: body.text("xml"))
        let generator = try generating { () throws(GeneratorError) in
            let generator = try Generator(
                language: body.text("language"), prefix: body.text("prefix"),
                classPrefix: body.optionalText("classPrefix"))
            try generator.check(definition)
            return generator
        }
        let json = CompiledDefinition(definition).compactJSON()
        let drafts = generator.generate(definition, compiled: json)
        return try archive(of: drafts, in: "models", named: "models.zip")
    }

    func makePackage() throws -> Response {
        let xml = body.text("xml")
        let definition = try definition(sent: xml)
        let name = body.text("name")
        guard let library = sentLibrary ?? desk.library else { throw HTTPFailure.libraryUnknown() }
        let generator = try generating { () throws(GeneratorError) in
            try ProjectGenerator(
                name: name, prefix: body.text("prefix"),
                classPrefix: body.optionalText("classPrefix"),
                library: library)
        }
        let project = generator.generate(definition)
        let source = SourceDraft(path: project.definitionPath, text: xml)
        return try archive(of: project.drafts + [source], in: name, named: "\(name).zip")
    }

    /// The library that the request names: a URL, or the folder of a checkout.
    private var sentLibrary: LibraryLocation? {
        body.optionalText("library").map { place in
            place.hasPrefix("/") ? .folder(place) : .repository(url: place)
        }
    }

    /// The library of packages whose request names none, as such a request may name it.
    func showLibrary() -> Response {
        let text: String? =
            switch desk.library {
            case .folder(let path): path
            case .repository(let url, _): url
            case nil: nil
            }
        return .json(.object(["library": JSONValue(text: text)]))
    }

    private func generating<Value>(
        _ body: () throws(GeneratorError) -> Value
    ) throws -> Value {
        do throws(GeneratorError) {
            return try body()
        } catch {
            throw HTTPFailure(error)
        }
    }

    func showDiagnostic() throws -> Response {
        let id = try context.pathPart("diagnostic")
        guard let page = DefinitionCompiler.explanation(of: id) else {
            throw HTTPFailure.diagnosticUnknown(id)
        }
        return .json(
            .object([
                "id": .string(page.id), "severity": .string(page.severity.rawValue),
                "summary": .string(page.summary), "text": .string(page.text),
            ]))
    }
}

/// An element with its children, as forms need it.
private func outline(of element: DocumentElement) -> JSONValue {
    let attributes = element.attributes.map { attribute -> (String, JSONValue) in
        let name = attribute.isOwn ? "w:\(attribute.name)" : attribute.name
        return (name, JSONValue.string(attribute.value))
    }
    return .object([
        "name": .string(element.name), "line": .integer(Int64(element.place.line)),
        "attributes": .object(Dictionary(attributes, uniquingKeysWith: { first, _ in first })),
        "text": .string(element.text), "children": .array(element.children.map(outline)),
    ])
}

// MARK: - Edits

extension AdminExchange {
    /// The edits of the body. Throws `illegal` for one that lacks a member.
    private func edits() throws(EditError) -> [DefinitionEdit] {
        guard case .array(let values) = body.value("edits") else { return [] }
        var edits: [DefinitionEdit] = []
        for case .object(let members) in values {
            edits.append(try DefinitionEdit(AdminBody(members: members)))
        }
        return edits
    }
}

extension DefinitionEdit {
    fileprivate init(_ body: AdminBody) throws(EditError) {
        let path = ElementPath(body.value("path"))
        switch body.text("do") {
        case "add": self = .add(path)
        case "set":
            self = .set(path, attribute: body.text("attribute"), value: body.optionalText("value"))
        case "write": self = .write(path, text: body.text("value"))
        case "remove": self = .remove(path)
        case "move": self = .move(path, down: body.flag("down") ?? true)
        case "rename": self = .rename(path, to: body.text("to"))
        case "copyRights": self = .copyRights(from: body.text("from"), to: body.text("to"))
        case "removeRole": self = .removeRole(body.text("role"))
        case let other: throw .illegal(other)
        }
    }
}

extension ElementPath {
    /// Reads a list of steps, each a list of a name and of pairs of attribute and value.
    fileprivate init(_ value: JSONValue) {
        let steps = value.elements.map { step -> Step in
            let texts = step.elements.map(\.plainText)
            let keys = stride(from: 1, to: texts.count - 1, by: 2).map {
                Key(texts[$0], texts[$0 + 1])
            }
            return Step(texts.first ?? "", keys)
        }
        self.init(steps)
    }
}

extension JSONValue {
    /// Empty for what is no list.
    fileprivate var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    fileprivate var plainText: String {
        guard case .string(let text) = self else { return "" }
        return text
    }
}
