import Foundation

/// The texts in a ZIP archive, by their names.
func unzipped(_ bytes: Data) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let archive = try folder.write(bytes, to: "archive.zip")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-m", "zipfile", "-e", archive, folder.path("contents")]
    try process.run()
    process.waitUntilExit()
    let prefix = "contents/"
    var texts: [String: String] = [:]
    for (name, contents) in try folder.files() where name.hasPrefix(prefix) {
        texts[String(name.dropFirst(prefix.count))] = String(decoding: contents, as: UTF8.self)
    }
    return texts
}
