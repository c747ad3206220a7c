import Foundation
import PackagePlugin

/// Writes the models of each target with an `application.xml` to its folder `Models`, for keeping
/// them in version control.
@main
struct WriteWaggleModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        guard extractor.remainingArguments.isEmpty else {
            Diagnostics.error("wanted nothing, or --target NAME")
            return
        }
        let targets =
            try names.isEmpty
            ? context.package.targets : context.package.targets(named: names)
        let writer = try context.tool(named: "ModelWriter").url
        let folders = targets.compactMap { ($0 as? any SourceModuleTarget)?.directoryURL }
            .filter { FileManager.default.fileExists(atPath: definition(in: $0).path) }
        if folders.isEmpty { Diagnostics.error("no target has an 'application.xml'") }
        for folder in folders { try write(in: folder, by: writer) }
    }

    private func write(in folder: URL, by writer: URL) throws {
        let process = Process()
        process.executableURL = writer
        process.arguments = [
            definition(in: folder).path, folder.appending(path: "waggle.json").path,
            "--folder", folder.appending(path: "Models").path,
        ]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error("no models were written in '\(folder.path)'")
        }
    }

    private func definition(in folder: URL) -> URL { folder.appending(path: "application.xml") }
}
