import Foundation

/// How a target wants its models, as the file `waggle.json` beside its definition says it.
package struct ModelSettings: Hashable, Sendable {
    /// What the name of each type begins with; empty where nothing is said.
    package let prefix: String
    /// A folder of own templates; nil for those of waggle.
    package let templates: String?

    /// Where there is no such file, nothing is said. A folder of templates is named as seen from
    /// the file.
    package init(file path: String) throws(ModelFileError) {
        guard FileManager.default.fileExists(atPath: path) else {
            prefix = ""
            templates = nil
            return
        }
        let written = try WrittenSettings(file: path)
        let folder = URL(filePath: path).deletingLastPathComponent()
        prefix = written.prefix ?? ""
        templates = written.templates.map { folder.appending(path: $0).path }
    }
}

private struct WrittenSettings: Decodable {
    let prefix: String?
    let templates: String?

    init(file path: String) throws(ModelFileError) {
        do {
            let contents = try Data(contentsOf: URL(filePath: path))
            self = try JSONDecoder().decode(WrittenSettings.self, from: contents)
        } catch {
            throw .unreadableSettings(path, reason: reason(for: error))
        }
    }

    /// A name that means nothing is refused: it would be a setting that is silently lost.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys where !["prefix", "templates"].contains(key.stringValue) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container,
                debugDescription: "no setting is named '\(key.stringValue)'")
        }
        prefix = try container.decodeIfPresent(String.self, forKey: Key("prefix"))
        templates = try container.decodeIfPresent(String.self, forKey: Key("templates"))
    }
}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

private func reason(for error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context)?: context.debugDescription
    case .typeMismatch(_, let context)?: context.debugDescription
    case .keyNotFound(_, let context)?: context.debugDescription
    case .valueNotFound(_, let context)?: context.debugDescription
    case nil: error.localizedDescription
    @unknown default: error.localizedDescription
    }
}
