import Administration
import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import Foundation
import JSON
import SyncEngine

struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List, show, tag, import and compare the versions of a database.",
        discussion: """
            Every definition that was deployed to any environment is a version, and so is one that \
            was imported. A version has a number, never changes, and is never removed. Deploy one \
            with 'waggle deploy --version', also an earlier one.
            """,
        subcommands: [
            ListVersions.self, ShowVersion.self, TagVersion.self, ImportVersion.self,
            DiffVersions.self,
        ])
}

struct ListVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the versions, newest first.")

    @Option(help: "The format: text for people, json for tools, one object per line.")
    var format: ListUsers.Format = .text

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            var versions: [CatalogVersion] = []
            var last: Int64?
            repeat {
                let before = last
                let page = try await database.calling { store throws(StoreError) in
                    try await store.catalog(before: before, limit: 200)
                }
                versions += page
                last = page.last?.number
            } while last != nil
            switch format {
            case .text: Terminal.write(table(of: versions))
            case .json: Terminal.write(versions.map { $0.json.text + "\n" }.joined())
            }
        }
    }

    private func table(of versions: [CatalogVersion]) -> String {
        textTable(
            [["VERSION", "TAG", "APPLICATION", "FINGERPRINT", "ADDED", "BY", "NOTE"]]
                + versions.map { version in
                    [
                        "\(version.number)", version.tag.isEmpty ? "-" : version.tag,
                        version.application.map { "\($0.vendor)/\($0.application)" } ?? "?",
                        String(version.fingerprint.prefix(12)), version.addedAt.iso8601,
                        version.author.isEmpty ? "?" : version.author,
                        version.note.replacingOccurrences(of: "\n", with: " "),
                    ]
                })
    }
}

struct ShowVersion: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Write the application.xml of a version, byte for byte.")

    @Argument(help: "The number or the tag of the version.")
    var version: String

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            let version = try await database.catalogVersion(version)
            Terminal.write(bytes: try await database.source(of: version))
        }
    }
}

struct TagVersion: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Give a version a tag or a note.",
        discussion: "A tag names one version; an empty one removes it.")

    @Argument(help: "The number or the tag of the version.")
    var version: String

    @Argument(help: "The tag: up to 64 visible ASCII characters, and no number.")
    var tag: String?

    @Option(help: "A note for people.")
    var note: String?

    @OptionGroup var options: LocationOptions

    func validate() throws {
        guard tag != nil || note != nil else { throw ValidationError("name a tag or a --note") }
        try checkLabels(tag: tag, note: note)
    }

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            let version = try await database.catalogVersion(version)
            try await database.label(
                version.number, tag: tag, note: note, replacing: version.json)
            Terminal.printMessage("labelled version \(version.number)")
        }
    }
}

struct ImportVersion: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add a definition as a version without deploying it.")

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "A tag for the version.")
    var tag: String?

    @Option(help: "A note for people.")
    var note: String?

    @OptionGroup var options: LocationOptions

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws { try checkLabels(tag: tag, note: note) }

    func run() async throws {
        let file = try DefinitionFile(file, within: limits.limits())
        try await OpenDatabase.opened(options) { database in
            let version = EnvironmentVersion(
                digest: file.definition.digest, fingerprint: file.definition.fingerprint,
                source: file.bytes, deployedAt: .now, sequence: nil,
                author: DeploymentAuthor.tool.name,
                application: file.definition.applicationName)
            let present = try await database.calling { store throws(StoreError) in
                try await store.catalogVersion(equalTo: version)
            }
            let holder = try await database.calling { store throws(StoreError) in
                try await store.holder(ofTag: tag ?? "", otherThan: present?.number)
            }
            if let holder { throw ToolFailure(tag: tag ?? "", takenBy: holder) }
            try await database.log(.importVersion, target: version.fingerprint)
            let number = try await database.calling { store throws(StoreError) in
                try await store.addToCatalog(version)
            }
            if tag != nil || note != nil {
                try await database.label(
                    number, tag: tag, note: note, replacing: present?.json)
            }
            if let tag, let former = present?.tag, !former.isEmpty, !former.hasSameBytes(as: tag) {
                Terminal.printMessage("warning: version \(number) lost the tag '\(former)'")
            }
            Terminal.printMessage("this is version \(number)")
        }
    }
}

struct DiffVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "List the differences between two versions.",
        discussion: """
            As 'waggle diff' does for two files. Renames of versions that an environment had \
            between the two are followed.
            """)

    @Argument(help: "The number or the tag of the old version.")
    var old: String

    @Argument(help: "The number or the tag of the new version.")
    var new: String

    @Option(help: "The format: text for people, json for tools.")
    var format: DiffCommand.Format = .text

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            let old = try await database.definitionFile(try await database.catalogVersion(old))
            let new = try await database.definitionFile(try await database.catalogVersion(new))
            let history = try await database.calling { store throws(StoreError) in
                try await store.history(
                    from: ComparedVersion(old.bytes, old.definition),
                    to: ComparedVersion(new.bytes, new.definition))
            }
            let followed =
                history?.followed { recompile(SourceFile(name: "", bytes: $0)).definition }
                ?? new.definition
            let comparison = DefinitionComparison(from: old.definition, to: followed)
            let files = ComparedFiles(old: old.name, new: new.name)
            switch format {
            case .text:
                Terminal.write(
                    renderAsText(
                        comparison, files: files, style: ColorChoice.auto.reportStyle()))
            case .json: Terminal.write(renderAsJSON(comparison, files: files))
            }
        }
    }
}

private func checkLabels(tag: String?, note: String?) throws {
    guard isLegalLabel(tag: tag ?? ""), isLegalLabel(note: note ?? "") else {
        throw ValidationError(
            "a tag is up to \(AdministrationLimits.tagBytes) visible ASCII characters and no "
                + "number, a note up to \(AdministrationLimits.noteBytes) bytes of text")
    }
}

extension OpenDatabase {
    fileprivate func label(
        _ number: Int64, tag: String?, note: String?, replacing former: JSONValue? = nil
    ) async throws(ToolFailure) {
        try await log(
            .labelVersion, target: "\(number)", before: former,
            after: .object([
                "tag": tag.map { .string($0) } ?? .null, "note": note.map { .string($0) } ?? .null,
            ]))
        let result = try await calling { store throws(StoreError) in
            try await store.label(number, tag: tag, note: note)
        }
        switch result {
        case .changed: return
        case .versionUnknown:
            throw ToolFailure(.inputAtFault, "there is no version '\(number)'")
        case .tagTaken(let holder):
            throw ToolFailure(tag: tag ?? "", takenBy: holder)
        }
    }
}

extension ToolFailure {
    fileprivate init(tag: String, takenBy holder: Int64) {
        self.init(
            .inputAtFault, "the tag '\(tag)' is that of version \(holder)",
            help: "choose another one, or take it away with 'waggle versions tag \(holder) \"\"'")
    }
}
