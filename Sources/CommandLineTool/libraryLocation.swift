import Foundation
import SourceGenerator

/// The location of Waggle for a new package: the given one, or else the checkout that contains this
/// program.
func libraryLocation(_ named: String?) throws(ToolFailure) -> LibraryLocation {
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

/// The program is in the folder `.build` of a checkout.
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

/// `https://example.org/waggle`, or in Git's notation `git@example.org:waggle.git`.
private func isURL(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/.+|[\w.\-]+@[\w.\-]+:.+/) != nil
}
