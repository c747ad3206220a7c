import DefinitionModel
import Foundation
import SourceGenerator
import TestKit
import Testing

/// A new package, byte by byte. Its app and tests are compiled as `CalendarApp` and
/// `CalendarAppTests`, and `EndToEndTests` runs the app.
///
/// `UPDATE_GOLDEN=1` rewrites it for review.
@Suite struct GoldenProjectTests {
    private let folder = URL(filePath: repositoryPath("Tests/Golden/Calendar"))

    @Test func generatedProjectsEqualGoldenProject() throws {
        let generator = try ProjectGenerator(
            name: "Calendar", prefix: "", library: .folder("../../.."))
        let project = generator.generate(try compiled("Dates"))
        let definition = try bytes(ofFile: "Definitions/Dates/application.xml")
        let files = Dictionary(
            uniqueKeysWithValues: project.drafts.map { ($0.path, Data($0.text.utf8)) }
                + [(project.definitionPath, Data(definition))])
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try keep(files) }
        #expect(try keptNames() == files.keys.sorted())
        for (path, contents) in files {
            let kept = try Data(contentsOf: folder.appending(path: path))
            #expect(kept == contents, "\(path): set UPDATE_GOLDEN=1 and look at the difference")
        }
    }

    private func keep(_ files: [String: Data]) throws {
        if FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder)
        }
        for (path, contents) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try contents.write(to: file)
        }
    }

    private func keptNames() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            var isFolder: ObjCBool = false
            let place = folder.appending(path: path).path
            _ = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
            return !isFolder.boolValue && !path.hasPrefix(".build")
        }.sorted()
    }
}

/// New packages for various definitions.
@Suite struct ProjectTests {
    private func files(
        _ definition: Definition, name: String = "Films", prefix: String = "",
        library: LibraryLocation = .folder("/waggle")
    ) throws -> [String: String] {
        let generator = try ProjectGenerator(name: name, prefix: prefix, library: library)
        let drafts = generator.generate(definition).drafts
        return Dictionary(uniqueKeysWithValues: drafts.map { ($0.path, $0.text) })
    }

    private func tests(_ definition: Definition) throws -> String {
        try #require(try files(definition)["Tests/FilmsAppTests/FilmsAppTests.swift"])
    }

    /// The folder of a device, also of another one that the page names.
    @Test func recordsOfDevicesStayOutOfGit() throws {
        let files = try files(definition([model("a")]))
        let ignored = try #require(files[".gitignore"]).split(separator: "\n")
        let readme = try #require(files["README.md"])
        #expect(readme.contains("WAGGLE_FOLDER=.waggle-of-ben") && ignored.contains(".waggle*/"))
    }

    // MARK: - Names

    @Test(arguments: [
        ("Films", "FilmsApp"), ("films", "FilmsApp"), ("my_films", "MyFilmsApp"),
        ("class", "ClassApp"), ("URL2", "URL2App"),
    ])
    func programIsCalledLikePackageAndItsCodeLikeApp(name: String, module: String) throws {
        let files = try files(definition([model("a")]), name: name)
        let manifest = try #require(files["Package.swift"])
        #expect(manifest.contains("\n    name: \"\(name)\",\n"))
        #expect(manifest.contains(".executable(name: \"\(name)\", targets: [\"\(module)\"])"))
        #expect(files["Sources/\(module)/App.swift"]?.contains("@main struct App {\n") == true)
        let tests = try #require(files["Tests/\(module)Tests/\(module)Tests.swift"])
        #expect(tests.contains("\n@testable import \(module)\n"))
    }

    /// A declaration of the project would hide the model.
    @Test func nothingOfItsOwnIsCalledLikeModel() throws {
        let names = ["app", "mistake", "films_app", "films_app_tests", "testing", "command_line"]
        let files = try files(definition(names.map { model($0, [field("f")]) }))
        let app = try #require(files["Sources/FilmsAppCommand/App.swift"])
        #expect(app.contains("@main struct AppCommand {\n"))
        #expect(app.contains("\nstruct MistakeCommand: Error"))
        let types = ["App", "Mistake", "FilmsApp", "FilmsAppTests", "TestingModel"]
        for type in types { #expect(app.contains("        \(type).self,\n")) }
        #expect(app.contains("        CommandLineModel.self,\n"))
        let path = "Tests/FilmsAppTestsCommand/FilmsAppTestsCommand.swift"
        #expect(files[path]?.contains("let record = FilmsAppCommand.App(f: \"Hello\")") == true)
    }

    /// SwiftPM cannot distinguish two packages with one name, and ignores case.
    @Test func noNameIsThatOfPackageThatComesWithIt() throws {
        let manifest = String(decoding: try bytes(ofFile: "Package.swift"), as: UTF8.self)
        let packages = manifest.matches(of: /\.package\(url: ".+\/(\w+)"/).map { String($0.1) }
        #expect(packages.contains("hummingbird"))
        for name in packages + ["WAGGLE", "Checkout"] {
            #expect(throws: GeneratorError.takenProjectName(name)) {
                try ProjectGenerator(name: name, prefix: "", library: .folder("/a/checkout"))
            }
        }
    }

    @Test(arguments: [
        (
            LibraryLocation.folder(#"/a "b"/\(c)"#),
            #".package(name: "waggle", path: "/a \"b\"/\\(c)")"#
        ),
        (
            .repository(url: "https://a.b/c/d.git"),
            #".package(url: "https://a.b/c/d.git", branch: "main")"#
        ),
    ])
    func manifestSaysWhereLibraryIs(place: LibraryLocation, line: String) throws {
        let manifest = try files(definition([]), library: place)["Package.swift"]
        #expect(manifest?.contains("\n        \(line)\n") == true, "\(manifest ?? "")")
    }

    @Test func productIsNamedByItsRepository() throws {
        let place = LibraryLocation.repository(url: "git@a.b:sync.git")
        let manifest = try #require(try files(definition([]), library: place)["Package.swift"])
        #expect(manifest.matches(of: /package: "sync"/).count == 3)
    }

    // MARK: - A sample

    private static let long = TextLimits(minLength: 7, maxLength: 9)

    /// The fields of a model, and the arguments that create a record of it.
    static let samples: [([Field], String)] = [
        ([], ""), ([field("a")], " a=Hello"),
        ([field("a"), field("b"), field("c")], " a=Hello b=Hello"),
        ([field("a"), field("b", required: true), field("c", required: true)], " b=Hello c=Hello"),
        ([field("a", .boolean, required: true, default: .boolean(true)), field("b")], " b=Hello"),
        (
            [field("a", .text(long)), field("b", .text(TextLimits(maxLength: 3)))],
            " a=Hellooo b=Hel"
        ),
        (
            [field("a", .text(TextLimits(allowedValues: ["in work", "done"])), required: true)],
            " a=done"
        ),
        ([field("a", .integer(IntegerLimits(minValue: 7, maxValue: 9)))], " a=7"),
        ([field("a", .integer(IntegerLimits(allowedValues: [-5, 5])))], " a=-5"),
        ([field("a", .decimal(DecimalLimits(scale: 0)))], " a=1"),
        ([field("a", .decimal(DecimalLimits())), field("b", .boolean)], " a=1.5 b=true"),
        ([field("a", .date(DateLimits()))], " a=2027-03-14"),
        ([field("a", .date(DateLimits(maxMilliseconds: -1)))], " a=1969-12-31T23:59:59.999Z"),
        ([field("a", .file), field("b", .belongsTo(Relation(model: "m")))], ""),
        ([field("a", read: [:]), field("b", required: true, read: [:])], nothing),
        ([field("a", .file, required: true)], nothing),
        ([field("a", .text(TextLimits(minLength: 41)), required: true)], nothing),
        ([field("a", .text(TextLimits(allowedValues: ["in work"])), required: true)], nothing),
    ]

    private static let nothing = "no record"

    @Test(arguments: samples)
    func testsMakeRecordThatMayBe(fields: [Field], typed: String) throws {
        let tests = try tests(definition([model("m", fields)]))
        let line = "let added = try await app.answer(\"add m\(typed)\")\n"
        #expect(tests.contains(line) == (typed != Self.nothing), "\(tests)")
        #expect(tests.contains("answer(\"add m") == (typed != Self.nothing))
    }

    @Test func textKeepsItsPattern() throws {
        let pattern = try TextPattern("[A-Z]{2}-[0-9]{4}")
        let number = field("a", .text(TextLimits(pattern: pattern)), required: true)
        let tests = try tests(definition([model("m", [number])]))
        #expect(tests.firstMatch(of: /"add m a=[A-Z]{2}-[0-9]{4}"/) != nil, "\(tests)")
    }

    /// The same record in code has typed values.
    @Test func recordIsWrittenAsCodeHasIt() throws {
        let status = FieldType.text(TextLimits(allowedValues: ["default", "done"]))
        let fields = [
            field("class", .date(DateLimits()), required: true),
            field("status", status, required: true),
            field("unit_price", .decimal(DecimalLimits()), required: true, read: [everyone: .own]),
        ]
        let tests = try tests(definition([model("m", fields, read: [everyone: .all])]))
        for text in [
            "`class`: Waggle.Instant(milliseconds: 1_804_982_400_000),", "status: .`default`,",
            "unitPrice: .value(Waggle.ExactDecimal(canonical: \"1.5\"))",
            "#expect(saved?.`class` == record.`class`)",
        ] {
            #expect(tests.contains(text), "\(tests)")
        }
    }

    /// The model that supports the most operations.
    @Test func modelIsOneThatCanBeChanged() throws {
        let site = field("site", .belongsTo(Relation(model: "site")), required: true)
        let order = model("order", [site])
        let log = model("log", [field("a", .boolean, required: true, read: [:])])
        let tests = try tests(
            definition([order, log, model("site", [field("a")]), model("other", [field("a")])]))
        #expect(tests.contains("answer(\"add site a=Hello\")"))
        #expect(tests.contains("answer(\"change site \\(added.prefix(8)) a=Goodbye\")"))
        #expect(tests.contains("answer(\"remove site \\(added.prefix(8))\") == \"removed\")"))
    }

    // MARK: - Roles

    @Test func appIsOnDeviceThatSomebodyMayUse() throws {
        let shop = Definition(
            application: "shop", vendor: "waggle", conflictMode: .manual,
            deviceCategories: ["desk", "mobile", "watch"], groups: ["chiefs", "users"],
            roles: [everyone], models: [model("m")], digest: "d")
        let files = try files(shop)
        let signIn = try #require(files["Sources/FilmsApp/App+signIn.swift"])
        #expect(signIn.contains("variables[\"WAGGLE_DEVICE\"] ?? \"mobile\","))
        #expect(signIn.contains("The category of this device; alternatively desk or watch.\n"))
        let readMe = try #require(files["README.md"])
        #expect(readMe.contains("waggle user add anna --group users --database"))
    }

    @Test func projectWithoutRightsTriesOnlyHelp() throws {
        let nobody = Definition(
            application: "shop", vendor: "waggle", conflictMode: .manual, deviceCategories: [],
            groups: [], roles: [], models: [model("m")], digest: "d")
        let files = try files(nobody)
        let tests = try #require(files["Tests/FilmsAppTests/FilmsAppTests.swift"])
        #expect(tests.matches(of: /@Test/).count == 1 && !tests.contains("development("))
        #expect(files["README.md"]?.contains("nobody can sign in") == true)
    }

    @Test(arguments: ["", "MMD"])
    func prefixIsPassedToBuild(prefix: String) throws {
        let files = try files(definition([model("a")]), prefix: prefix)
        let settings = files["Sources/FilmsApp/waggle.json"]
        #expect(settings == (prefix.isEmpty ? nil : "{\"prefix\": \"MMD\"}\n"))
        #expect(
            files["Sources/FilmsApp/App.swift"]?.contains("        \(prefix)A.self\n") == true)
    }

    @Test func classesAndModelsHavePrefixesOfTheirOwn() throws {
        let generator = try ProjectGenerator(
            name: "Films", prefix: "MMD", classPrefix: "MD", library: .folder("/a/checkout"))
        let project = generator.generate(definition([model("app")]))
        let texts = Dictionary(project.drafts.map { ($0.path, $0.text) }) { first, _ in first }
        #expect(
            texts["Sources/FilmsApp/waggle.json"]
                == "{\"prefix\": \"MMD\", \"classPrefix\": \"MD\"}\n")
        let app = try #require(texts["Sources/FilmsApp/App.swift"])
        #expect(app.contains("@main struct MDApp {"))
        #expect(app.contains("        MMDApp.self\n"))
        #expect(app.contains("throw MDMistake("))
        #expect(app.contains("AppDefinition.mdShop.models"))
    }

    @Test(arguments: GoldenCase.allCases)
    func nothingOfTemplateIsLeft(golden: GoldenCase) throws {
        for (path, text) in try files(try golden.definition, prefix: golden.prefix) {
            #expect(!text.contains("{{") && !text.contains("}}"), "\(path)")
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(path)")
            #expect(!text.contains(" \n") && !text.contains("\n\n\n"), "\(path)")
        }
    }
}
