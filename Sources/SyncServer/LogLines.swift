import Foundation
package import Logging

/// Writes the log to standard error, a JSON object a line: `time`, `level`, `message`, then what
/// the message is about.
package struct LogLines: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

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
        line["time"] = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line["level"] = event.level.rawValue
        line["message"] = event.message.description
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(line) else { return }
        // A log that nobody can read is no reason to stop serving.
        try? FileHandle.standardError.write(contentsOf: bytes + [UInt8(ascii: "\n")])
    }
}
