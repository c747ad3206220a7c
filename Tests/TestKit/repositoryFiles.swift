import Foundation

/// The path of a file or folder, given relative to the repository: `Tests/SomeTests/Fixtures`.
package func repositoryPath(_ path: String, from file: String = #filePath) -> String {
    let top = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return top.appendingPathComponent(path).path
}

/// The bytes of a file of the repository.
package func bytes(ofFile path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: repositoryPath(path))))
}
