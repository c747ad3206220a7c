import Foundation

/// The settings for a target's models, from the file `waggle.json` beside its definition.
package struct ModelSettings: Hashable, Sendable {
    /// The prefix of the models' type names; empty if not set.
    package let prefix: String
    /// The prefix of other names; nil for that of the models.
    package let classPrefix: String?
    /// A folder of custom templates; nil for the built-in ones.
    package let templates: String?

    /// A missing file means default settings. The path of templates is relative to the file.
    package init(file path: String) throws(ModelFileError) {
        guard FileManager.default.fileExists(atPath: path) else {
            prefix = ""
            classPrefix = nil
            templates = nil
            return
        }
        let written = try WrittenSettings(file: path)
        let folder = URL(filePath: path).deletingLastPathComponent()
        prefix = written.prefix ?? ""
        classPrefix = written.classPrefix
        templates = written.templates.map { folder.appending(path: $0).path }
    }
}

private struct WrittenSettings: Decodable {
    static let names = ["prefix", "classPrefix", "templates"]

    let prefix: String?
    let classPrefix: String?
    let templates: String?

    init(file path: String) throws(ModelFileError) {
        do {
            let contents = try Data(contentsOf: URL(filePath: path))
            self = try JSONDecoder().decode(WrittenSettings.self, from: contents)
        } catch {
            throw .unreadableSettings(path, reason: reason(for: error))
        }
    }

    /// Refuses unknown keys, which would otherwise be ignored silently.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys where !Self.names.contains(key.stringValue) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container,
                debugDescription: "no setting is named '\(key.stringValue)'")
        }
        prefix = try container.decodeIfPresent(String.self, forKey: Key("prefix"))
        classPrefix = try container.decodeIfPresent(String.self, forKey: Key("classPrefix"))
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
