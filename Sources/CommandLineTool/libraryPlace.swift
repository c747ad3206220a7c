import Foundation
import SourceGenerator

/// Where a new package gets Waggle from: what somebody named, or else the checkout that this
/// program was built in.
func libraryPlace(_ named: String?) throws(ToolFailure) -> LibraryLocation {
    guard let named else { return .folder(try checkoutOfThisProgram()) }
    if isURL(named) { return .repository(url: named) }
    let folder = URL(filePath: named).standardizedFileURL
    guard isCheckout(folder) else {
        throw ToolFailure(
            .inputAtFault, "there is no checkout of Waggle in '\(named)'",
            help: "name the folder that has its Package.swift, or the URL of its repository")
    }
    return .folder(folder.path)
}

/// The program lies in a folder `.build` of it, however it was started.
private func checkoutOfThisProgram() throws(ToolFailure) -> String {
    let program = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
        .resolvingSymlinksInPath()
    var folder = program.deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
        if isCheckout(folder) { return folder.path }
        folder.deleteLastPathComponent()
    }
    throw ToolFailure(
        .wrongUsage, "'\(program.path)' does not lie in a checkout of Waggle",
        help: "give --waggle with the folder of a checkout, or with the URL of a repository")
}

private func isCheckout(_ folder: URL) -> Bool {
    ["Package.swift", "Sources/Waggle", "Sources/Plugins/WaggleModels"].allSatisfy {
        FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
    }
}

/// `https://example.org/waggle`, or as git has it: `git@example.org:waggle.git`.
private func isURL(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/.+|[\w.\-]+@[\w.\-]+:.+/) != nil
}
