import ArgumentParser
import Foundation
import ModelFiles
import SourceGenerator

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a package with an app for a definition, ready to build and run.",
        discussion: """
            The package contains the definition, a small command-line app that signs in, lists, \
            adds, changes, removes and syncs the records of its models, tests, and a README.md \
            with the next steps. Its builds generate the models with the plugin WaggleModels.

              waggle new Notes --definition application.xml
              cd Notes
              swift run Notes help

            The folder must be new or empty. The package is created completely or not at all.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The folder to create. Its last component is the name of the package and of its \
            program: letters A to Z of either case, digits and '_', beginning with a letter.
            """, valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var definition: String

    @OptionGroup var prefixes: PrefixOptions

    @OptionGroup var package: LibraryOptions

    func run() throws {
        let folder = NewFolder(path: name)
        let library = try package.location()
        do {
            let generator = try ProjectGenerator(
                name: packageName, prefix: prefixes.prefix, classPrefix: prefixes.classPrefix,
                library: library)
            try folder.checkIsFree()
            // The default limits: builds of the package have no other limits.
            let file = try DefinitionFile(definition, naming: [generator.namingRules])
            let project = generator.generate(file.definition)
            try folder.write(
                project.drafts.map { ($0.path, Array($0.text.utf8)) }
                    + [(project.definitionPath, file.bytes)])
        } catch let error as GeneratorError {
            throw ToolFailure(error)
        } catch let error as ModelFileError {
            throw ToolFailure(error)
        }
        Terminal.printMessage(nextSteps())
    }

    private var packageName: String { name.split(separator: "/").last.map(String.init) ?? name }

    private func nextSteps() -> String {
        """
        made \(name); its README.md says more. Next:
          cd \(quotedForShell(name))
          swift run \(packageName) help
          swift test
        """
    }
}

private func quotedForShell(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: Array("/._-".utf8).contains(byte)
        }
    }
    let escaped = path.unicodeScalars.replacing(
        "'".unicodeScalars, with: #"'\''"#.unicodeScalars)
    return isPlain ? path : "'\(String(escaped))'"
}
