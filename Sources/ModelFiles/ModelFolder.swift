import Foundation
package import SourceGenerator
import SystemFiles

/// A folder of generated models.
package struct ModelFolder: Sendable {
    private let path: String
    /// The suffix of file names, such as `.swift`.
    private let suffix: String

    package init(path: String, suffix: String) {
        self.path = path
        self.suffix = suffix
    }

    /// Writes new and changed files. Writes nothing if a file that was not generated from the
    /// application is at one of the paths. Deletes nothing.
    package func write(_ drafts: [SourceDraft]) throws(ModelFileError) -> WritePlan {
        let plan = plan(drafts, over: try texts())
        guard plan.blocked.isEmpty else { throw .blocked(plan.blocked) }
        for draft in plan.writes { try writeText(draft.text, to: "\(path)/\(draft.path)") }
        return plan
    }

    /// The texts of the models by file name; empty if the folder does not exist.
    private func texts() throws(ModelFileError) -> [String: String] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            var texts: [String: String] = [:]
            for name in names where name.hasSuffix(suffix) {
                let contents = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
                texts[name] = String(decoding: contents, as: UTF8.self)
            }
            return texts
        } catch {
            throw .unreadable(path, reason: systemReason(of: error))
        }
    }
}

/// Writes a file atomically, and creates the folders above it.
package func writeText(_ text: String, to path: String) throws(ModelFileError) {
    let url = URL(filePath: path)
    do {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
        throw .unwritable(path, reason: systemReason(of: error))
    }
}
