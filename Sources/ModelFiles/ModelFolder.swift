import Foundation
package import SourceGenerator

/// A folder that models are written to.
package struct ModelFolder: Sendable {
    private let path: String
    /// What the names of its models end with, such as `.swift`.
    private let suffix: String

    package init(path: String, suffix: String) {
        self.path = path
        self.suffix = suffix
    }

    /// Writes what is new or has changed. Nothing is written where something of somebody else's is
    /// in the way, and nothing is deleted.
    package func write(_ drafts: [SourceDraft]) throws(ModelFileError) -> WritePlan {
        let plan = plan(drafts, over: try texts())
        guard plan.blocked.isEmpty else { throw .blocked(plan.blocked) }
        for draft in plan.writes { try writeText(draft.text, to: "\(path)/\(draft.path)") }
        return plan
    }

    /// Of its models, by name; none where there is no such folder yet.
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
            throw .unreadable(path, reason: error.localizedDescription)
        }
    }
}

/// Writes a file, whole or not at all, with the folders that it lies in.
package func writeText(_ text: String, to path: String) throws(ModelFileError) {
    let url = URL(filePath: path)
    do {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
        throw .unwritable(path, reason: error.localizedDescription)
    }
}
