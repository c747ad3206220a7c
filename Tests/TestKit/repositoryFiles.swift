import Foundation

/// The path of a file or folder, given relative to the repository: `Tests/SomeTests/Fixtures`.
package func repositoryPath(_ path: String) -> String {
    repository.appendingPathComponent(path).path
}

private let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// The bytes of a file of the repository.
package func bytes(ofFile path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: repositoryPath(path))))
}
