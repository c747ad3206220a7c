import Testing

/// The rules of the repository.
@Suite struct HouseRules {
    @Test(arguments: Ban.all)
    func nothingBannedIsWritten(ban: Ban) throws {
        expectNone(try ban.findings(in: Repository.sources))
    }

    @Test func nothingIsLeftUnfinished() {
        expectNone(Repository.sources.flatMap(unfinishedFindings))
    }

    @Test func everySwitchOverCasesNamesThemAll() {
        expectNone(catchAllFindings(in: Repository.sources, exceptions: catchAllExceptions))
    }

    @Test func packageDeclarationsAreDocumented() throws {
        expectNone(try Repository.sources.flatMap(undocumentedFindings))
    }

    @Test func publicDeclarationsAreDocumented() {
        expectNone(Repository.sources.flatMap(undocumentedPublicFindings))
    }

    @Test func publicErrorsAreDocumented() throws {
        expectNone(try Repository.sources.flatMap(undocumentedErrorFindings))
    }

    @Test func noTypeIsCalledLikeModule() throws {
        let names = Set(Repository.modules.map(\.name))
        expectNone(
            try Repository.sources.flatMap { try moduleNameFindings(in: $0, modules: names) })
    }

    @Test func everyFileIsNamedAfterDeclaration() throws {
        let files = (Repository.sources + Repository.tests).filter {
            !$0.path.hasPrefix("Tests/OutsidePackage/")
        }
        expectNone(try fileNameFindings(in: files))
    }

    @Test func foldersHaveFewFiles() {
        let folders = Dictionary(grouping: Repository.sources) { file in
            file.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
            #expect(files.count <= 25, "move files of '\(folder)' to folders in it")
        }
    }

    @Test func noTypeNameIsDeclaredInTwoModules() throws {
        let duplicates = try duplicateTypeNames(in: Repository.sources)
        for (name, modules) in duplicates.sorted(by: { $0.key < $1.key }) {
            let known = namesOfBothSides[name] ?? []
            #expect(modules.isSubset(of: known), "'\(name)' is declared in \(modules.sorted())")
        }
    }

    @Test func sentencesOfCommentsHaveSubject() {
        let files = Repository.sources + Repository.tests
        expectNone(files.flatMap { subjectFindings(in: $0.lines, of: $0.path) })
    }

    @Test(arguments: HouseRules.otherFiles.filter { !$0.hasSuffix(".css") })
    func sentencesOfScriptsHaveSubject(path: String) {
        let lines = Repository.text(of: path).split(
            separator: "\n", omittingEmptySubsequences: false)
        expectNone(subjectFindings(in: lines, of: path, marks: ["#"]))
    }

    @Test(arguments: Repository.markdownPages.filter { $0 != "CHANGELOG.md" })
    func sentencesOfPagesHaveSubject(path: String) {
        let lines = Repository.text(of: path).split(
            separator: "\n", omittingEmptySubsequences: false)
        expectNone(proseFindings(in: lines, of: path))
    }

    @Test(arguments: Repository.markdownPages.filter { $0 != "CHANGELOG.md" })
    func linesOfPagesAreShort(path: String) {
        let lines = Repository.text(of: path).split(
            separator: "\n", omittingEmptySubsequences: false)
        expectNone(longProseFindings(in: lines, of: path))
    }

    @Test func helpOfSettingsHasSubject() {
        let path = "\(Repository.documentation)/Operating.md"
        let lines = Repository.text(of: path).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.hasPrefix("| `") }.count > 60)
        expectNone(helpFindings(in: lines, of: path))
    }

    @Test func linesFunctionsAndFilesAreShort() throws {
        let files = Repository.sources + Repository.tests
        expectNone(try sizeFindings(in: files, exceptions: longFunctionExceptions))
    }

    /// Files that are neither Swift nor pages.
    static let otherFiles = [
        "Package.swift", "Makefile", "Containerfile", ".ci/run", "Tests/EndToEndTests/demo.sh",
        "Tests/EndToEndTests/runs.sh", "Tests/PostgresKit/supervise.sh",
        "Sources/CommandLineTool/Package/bill.py", "Sources/CommandLineTool/Package/healthy",
        "Sources/CommandLineTool/Package/man_pages.py",
        "Sources/CommandLineTool/Package/package.py",
        "Sources/CommandLineTool/Package/postinst", "Sources/CommandLineTool/Package/postrm",
        "Sources/CommandLineTool/Package/preinst", "Sources/CommandLineTool/Package/prerm",
        "Sources/CommandLineTool/Package/waggle-admin", "Sources/Waggle/Site/doc_links.py",
        "Tests/Packaging/run.sh",
        "Tests/Benchmarks/attack.py", "Tests/Benchmarks/bench.py", "Tests/Benchmarks/charts.py",
        "Tests/Benchmarks/checks.py",
        "Tests/Benchmarks/commands.py", "Tests/Benchmarks/compare.py",
        "Tests/Benchmarks/compile.py", "Tests/Benchmarks/definitions.py",
        "Tests/Benchmarks/device.py", "Tests/Benchmarks/documents.py", "Tests/Benchmarks/etcd.py",
        "Tests/Benchmarks/growth.py", "Tests/Benchmarks/installed.py", "Tests/Benchmarks/kinto.py",
        "Tests/Benchmarks/limits.py", "Tests/Benchmarks/load.py", "Tests/Benchmarks/machine.py",
        "Tests/Benchmarks/original.py", "Tests/Benchmarks/ours.py", "Tests/Benchmarks/peers.py",
        "Tests/Benchmarks/peers_report.py", "Tests/Benchmarks/pieces.py",
        "Tests/Benchmarks/postgres.py", "Tests/Benchmarks/report.py", "Tests/Benchmarks/rig.py",
        "Tests/Benchmarks/served.py", "Tests/Benchmarks/stored.py", "Tests/Benchmarks/style.css",
        "Tests/Benchmarks/suite.py", "Tests/Benchmarks/sync.py", "Tests/Benchmarks/tables.py",
        "Tests/Benchmarks/words.py", "Tests/Benchmarks/workloads.py", "Tests/Fuzzing/run.sh",
        "Tests/InstructionCounts/count.py",
        "Tests/Fuzzing/upload_seeds.py", "Tests/OutsidePackage/run.sh",
        "Operations/Caddyfile", "Operations/alerts.yml", "Operations/nginx.conf",
        "Operations/prometheus.yml",
    ]

    @Test(arguments: HouseRules.otherFiles)
    func linesOfOtherFilesAreShort(path: String) {
        let lines = Repository.text(of: path).split(
            separator: "\n", omittingEmptySubsequences: false)
        expectNone(longLineFindings(in: lines, of: path))
    }

    @Test func noTestSleeps() throws {
        expectNone(try Ban.sleepInTests.findings(in: Repository.tests))
    }

    @Test func nothingElseIsAtTop() {
        let places: Set = [
            "Package.swift", "Definitions", "Operations", "Templates", "Sources", "Tests",
            "README.md",
            "Makefile", ".ci", ".swift-format", ".gitignore", ".gitattributes",
            // Where people and tools look for them.
            "CHANGELOG.md", "Containerfile",
        ]
        let others = Repository.topLevelNames.filter { !places.contains($0) }
        #expect(others == [], "find them a place in a folder, or in .gitignore")
    }
}

@Suite struct ModuleRules {
    @Test func everyFolderIsModuleWithTask() {
        let modules = Repository.modules
        let folders = modules.map(\.name).filter { $0 != "Templates" } + ["Plugins"]
        #expect(Repository.sourceFolders == folders.sorted())
        #expect(modules.filter(\.task.isEmpty).map(\.name) == [], "say above it what it is for")
    }

    @Test func everyImportIsDependency() throws {
        let modules = Repository.modules
        #expect(!Repository.sources.isEmpty)
        expectNone(
            try Repository.sources.flatMap { try ImportRule.findings(in: $0, modules: modules) })
    }

    @Test func noModuleDependsOnALaterOne() {
        let names = Repository.modules.map(\.name)
        for (index, module) in Repository.modules.enumerated() {
            let later = Set(names[index...])
            #expect(
                module.imports.isDisjoint(with: later), "\(module.name) stands before what it uses")
        }
    }

    /// Wires and the library read and write the native wire's messages; engine, stores and server
    /// do not.
    @Test func onlyTheseKnowNativeMessages() {
        let known = Repository.modules.filter { $0.imports.contains("SyncProtocol") }.map(\.name)
        #expect(
            known.sorted() == [
                "AdminWire", "CommandLineTool", "ModelWriter", "NativeCalls", "NativeWire",
                "Simulation", "Waggle", "Webhooks",
            ])
    }

    /// Not through another module either.
    @Test(arguments: [
        "Administration", "AzureWire", "FileExchange", "FileVault", "MemoryStore",
        "MobeelizerWire", "Notifications", "ParseWire", "PostgresStore", "RecordSearch",
        "SQLiteStore", "SyncEngine", "SyncServer", "UserAccounts", "WholeRecordSync",
    ])
    func engineStoresAndServerKnowNoNativeMessages(module: String) throws {
        let modules = Dictionary(uniqueKeysWithValues: Repository.modules.map { ($0.name, $0) })
        var reached: Set<String> = []
        var next = [module]
        while let name = next.popLast() {
            guard reached.insert(name).inserted else { continue }
            next += modules[name]?.imports ?? []
        }
        #expect(reached.count > 3)
        #expect(!reached.contains("SyncProtocol"))
    }

    @Test func everyModuleWithoutIOIsThere() {
        #expect(ModuleSet.pure.isSubset(of: Repository.modules.map(\.name)))
    }
}

func expectNone(_ findings: [Finding], at place: SourceLocation = #_sourceLocation) {
    guard !findings.isEmpty else { return }
    let list = findings.map { "\n  \($0)" }.joined()
    Issue.record("\(findings.count) to fix:\(list)", sourceLocation: place)
}
