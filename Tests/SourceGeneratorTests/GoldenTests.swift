import DefinitionCompiler
import DefinitionModel
import Foundation
import SourceGenerator
import SyncProtocol
import TestKit
import Testing

/// The generated files, byte by byte. The target `Golden` compiles them.
///
/// `UPDATE_GOLDEN=1` rewrites them for review.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.allCases)
    func generatedFilesEqualGoldenFiles(golden: GoldenCase) throws {
        let drafts = try golden.drafts
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try golden.folder.write(plan(drafts, over: try golden.folder.texts))
        }
        let plan = plan(drafts, over: try golden.folder.texts)
        #expect(plan.writes.map(\.path) == [], "set UPDATE_GOLDEN=1 and look at the difference")
        #expect(plan.stale == [])
        #expect(plan.blocked == [])
    }

    @Test(arguments: GoldenCase.allCases)
    func layoutOfCompiledDefinitionChangesNothing(golden: GoldenCase) throws {
        let definition = try golden.definition
        let generator = try Generator(language: golden.language, prefix: golden.prefix)
        let json = CompiledDefinition(definition).compactJSON()
        #expect(generator.generate(definition, compiled: json) == (try golden.drafts))
    }
}

enum GoldenCase: String, CaseIterable, Sendable {
    /// A realistic app.
    case fieldService = "FieldService"
    /// Without a prefix, where most names conflict.
    case clashes = "Clashes"
    /// With the longest prefix and names, where lines are longest.
    case extremes = "Extremes"
    /// The same app in TypeScript.
    case typeScript = "TypeScript"

    var language: String { self == .typeScript ? "typescript" : "swift" }

    var prefix: String {
        switch self {
        case .fieldService, .typeScript: "MMD"
        case .clashes: ""
        case .extremes: "Wxyzabcdef"
        }
    }

    var definition: Definition {
        get throws {
            switch self {
            case .fieldService, .typeScript: try compiled("FieldService")
            case .clashes: clashingNames()
            case .extremes: try extremeValues()
            }
        }
    }

    var drafts: [SourceDraft] {
        get throws {
            try Generator(language: language, prefix: prefix).drafts(of: try definition)
        }
    }

    var folder: Folder { Folder(url: URL(filePath: repositoryPath("Tests/Golden/\(rawValue)"))) }
}

extension Generator {
    func drafts(of definition: Definition) throws -> [SourceDraft] {
        let json = try CompiledDefinition(definition).canonicalJSON()
        return generate(definition, compiled: String(decoding: json, as: UTF8.self))
    }
}

/// An example by its folder's name. Examples must compile without warnings, except for those about
/// original clients, which nobody uses with them.
func compiled(_ example: String) throws -> Definition {
    let path = "Definitions/\(example)/application.xml"
    let compilation = compile(SourceFile(name: path, bytes: try bytes(ofFile: path)))
    #expect(compilation.diagnostics.filter { $0.id != "requiredNotReadable" } == [])
    return try #require(compilation.definition)
}

struct Folder {
    let url: URL

    var texts: [String: String] {
        get throws {
            guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            return try names.reduce(into: [:]) { texts, name in
                texts[name] = try String(contentsOf: url.appending(path: name), encoding: .utf8)
            }
        }
    }

    func write(_ plan: WritePlan) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for draft in plan.writes {
            try Data(draft.text.utf8).write(to: url.appending(path: draft.path))
        }
        for path in plan.stale { try FileManager.default.removeItem(at: url.appending(path: path)) }
    }
}
