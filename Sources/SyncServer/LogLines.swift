import Foundation
package import Logging

/// Logs to standard error, one JSON object per line: `time`, `level`, `message`, the
/// metadata, and in lines about a request its id, `request`.
package struct LogLines: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// The key that Hummingbird gives the id of a request. It is `request` in the line.
    static let requestKey = "hb.request.id"

    package init(level: Logger.Level) {
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        var line = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
            .mapValues(\.description)
        if let id = line.removeValue(forKey: Self.requestKey) { line["request"] = id }
        line["time"] = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line["level"] = event.level.rawValue
        line["message"] = event.message.description
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(line) else { return }
        // The server continues even if the log cannot be written.
        try? FileHandle.standardError.write(contentsOf: bytes + [UInt8(ascii: "\n")])
    }
}
