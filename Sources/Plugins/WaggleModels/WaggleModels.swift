import Foundation
import PackagePlugin

/// Generates the models of a target's `application.xml` at each build.
@main
struct WaggleModels: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files = target.sourceFiles.map(\.url)
        let definitions = files.filter { $0.lastPathComponent == "application.xml" }
        guard let definition = definitions.first, definitions.count == 1 else {
            Diagnostics.error(
                "the target '\(target.name)' has \(definitions.count) files 'application.xml': "
                    + "the plugin WaggleModels wants one")
            return []
        }
        let settings = definition.deletingLastPathComponent().appending(path: "waggle.json")
        let models = context.pluginWorkDirectoryURL.appending(path: "Models.swift")
        let isRead = { (file: URL) in file == settings || file.pathExtension == "mustache" }
        return [
            .buildCommand(
                displayName: "Writing the models of \(target.name)",
                executable: try writer(context),
                arguments: [definition.path, settings.path, "--file", models.path],
                inputFiles: [definition] + files.filter(isRead), outputFiles: [models])
        ]
    }

    /// The program that `WAGGLE_MODEL_WRITER` names, which the Makefile of this repository builds
    /// first. Otherwise the one that SwiftPM compiles for plugins.
    private func writer(_ context: PluginContext) throws -> URL {
        try ProcessInfo.processInfo.environment["WAGGLE_MODEL_WRITER"].map { URL(filePath: $0) }
            ?? context.tool(named: "ModelWriter").url
    }
}
