import ArgumentParser
import Foundation
import SourceGenerator

/// Options for the dependency of a new package on Waggle.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder of a checkout of Waggle. The default is the one that contains this program.
            """, valueName: "folder"))
    var packagePath: String?

    @Option(
        name: .customLong("package-url"),
        help: ArgumentHelp(
            "The URL of a repository of Waggle, instead of a folder.", valueName: "url"))
    var packageURL: String?

    @Option(
        help: ArgumentHelp(
            """
            The earliest version of Waggle, with --package-url. Without it, the branch 'main' is \
            used.
            """, valueName: "version"))
    var packageVersion: String?

    func location() throws(ToolFailure) -> LibraryLocation {
        switch (packagePath, packageURL) {
        case (let path?, nil): return .folder(try folder(path))
        case (nil, let url?):
            return .repository(url: try checkedURL(url), version: try checkedVersion())
        case (nil, nil):
            try checkHasNoVersion()
            return .folder(try ownCheckout())
        case (_?, _?):
            throw ToolFailure(
                .wrongUsage, "the package is given by a folder and by a URL",
                help: "leave '--package-path' or '--package-url' out")
        }
    }

    private func ownCheckout() throws(ToolFailure) -> String {
        guard let folder = checkoutOfThisProgram() else {
            throw ToolFailure(
                .wrongUsage, "'\(thisProgram().path)' does not lie in a checkout of Waggle",
                help: "give '--package-path' with the folder of a checkout, or '--package-url' "
                    + "with the URL of a repository")
        }
        return folder
    }

    private func folder(_ path: String) throws(ToolFailure) -> String {
        try checkHasNoVersion()
        let folder = URL(filePath: path).standardizedFileURL
        guard isCheckout(folder) else {
            throw ToolFailure(
                .inputAtFault, "there is no checkout of Waggle in '\(path)'",
                help: "name the folder that has its Package.swift, or its repository with "
                    + "'--package-url'")
        }
        return folder.path
    }

    private func checkHasNoVersion() throws(ToolFailure) {
        guard packageVersion == nil else {
            throw ToolFailure(
                .wrongUsage, "a version is of a repository, and none is named",
                help: "give '--package-url' too, or leave '--package-version' out")
        }
    }

    private func checkedURL(_ url: String) throws(ToolFailure) -> String {
        guard isURL(url) else {
            throw ToolFailure(
                .wrongUsage, "'\(url)' is not the URL of a repository",
                help: "write it as in https://example.org/waggle, or name a folder with "
                    + "'--package-path'")
        }
        return url
    }

    private func checkedVersion() throws(ToolFailure) -> String? {
        guard let version = packageVersion else { return nil }
        guard version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.\-]+)?/) != nil else {
            throw ToolFailure(
                .wrongUsage, "'\(version)' is not a version", help: "write it as in 1.2.0")
        }
        return version
    }
}

/// The program is in the folder `.build` of a checkout. Nil if it lies elsewhere.
func checkoutOfThisProgram() -> String? {
    var folder = thisProgram().deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
        if isCheckout(folder) { return folder.path }
        folder.deleteLastPathComponent()
    }
    return nil
}

private func thisProgram() -> URL {
    (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
        .resolvingSymlinksInPath()
}

private func isCheckout(_ folder: URL) -> Bool {
    ["Package.swift", "Sources/Waggle", "Sources/Plugins/WaggleModels"].allSatisfy {
        FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
    }
}

/// `https://example.org/waggle`, or in Git's notation `git@example.org:waggle.git`.
func isURL(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/.+|[\w.\-]+@[\w.\-]+:.+/) != nil
}
