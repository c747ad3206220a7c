import Foundation
import ModelFiles
import SourceGenerator
import Templates
import TestKit
import Testing

/// Reading custom templates and settings.
@Suite struct ReadingTests {
    @Test(arguments: Language.allCases)
    func ourFoldersHoldTemplatesAsOthersDo(language: Language) throws {
        let folder = repositoryPath("Templates/\(language.rawValue)")
        let templates = try readTemplates(of: language, inFolder: folder)
        #expect(templates == language.templates)
        _ = try Generator(language: language.rawValue, prefix: "", templates: templates)
    }

    @Test(arguments: TemplatePart.allCases)
    func missingTemplateIsNamed(part: TemplatePart) throws {
        let folder = try Scratch()
        for other in TemplatePart.allCases where other != part {
            try folder.write("", to: Language.swift.fileName(of: other))
        }
        let name = Language.swift.fileName(of: part)
        #expect(throws: ModelFileError.missingTemplate(name, folder: folder.path)) {
            try readTemplates(of: .swift, inFolder: folder.path)
        }
    }

    @Test(
        arguments: [
            (#"{"prefix": "MMD"}"#, "MMD", nil), ("{}", "", nil),
            (#"{"prefix": "M", "templates": "Own"}"#, "M", "Own"),
        ] as [(String, String, String?)])
    func settingsAreRead(text: String, prefix: String, templates: String?) throws {
        let folder = try Scratch()
        try folder.write(text, to: "waggle.json")
        let settings = try ModelSettings(file: folder.path("waggle.json"))
        #expect(settings.prefix == prefix)
        #expect(settings.templates == templates.map { folder.path($0) })
    }

    @Test func classPrefixIsRead() throws {
        let folder = try Scratch()
        try folder.write(#"{"prefix": "MMD", "classPrefix": "MD"}"#, to: "waggle.json")
        let settings = try ModelSettings(file: folder.path("waggle.json"))
        #expect(settings.prefix == "MMD" && settings.classPrefix == "MD")
    }

    @Test func missingFileIsNoError() throws {
        let settings = try ModelSettings(file: try Scratch().path("waggle.json"))
        #expect(settings.prefix == "" && settings.templates == nil)
    }

    @Test(arguments: ["", "[]", #"{"prefix": 1}"#, #"{"prefx": "M"}"#])
    func illegalSettingsAreRefused(text: String) throws {
        let folder = try Scratch()
        try folder.write(text, to: "waggle.json")
        let path = folder.path("waggle.json")
        let error = #expect(throws: ModelFileError.self) { try ModelSettings(file: path) }
        #expect(error?.message.hasPrefix("'\(path)' holds no settings for models: ") == true)
        #expect(error?.isInputAtFault == true)
    }

    @Test func unknownSettingIsNamed() throws {
        let folder = try Scratch()
        try folder.write(#"{"prefx": "M"}"#, to: "waggle.json")
        let error = ModelFileError.unreadableSettings(
            folder.path("waggle.json"), reason: "no setting is named 'prefx'")
        #expect(throws: error) { try ModelSettings(file: folder.path("waggle.json")) }
    }
}

/// A temporary folder, removed when the value is released.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }
}
