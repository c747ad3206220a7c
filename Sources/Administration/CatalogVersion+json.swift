package import JSON
import SyncEngine

extension JSONValue {
    /// Null without a text.
    package init(text: String?) { self = text.map { .string($0) } ?? .null }
}

extension CatalogVersion {
    /// As `GET /admin/v1/versions` returns it.
    package var json: JSONValue {
        .object([
            "number": .integer(number), "vendor": JSONValue(text: application?.vendor),
            "application": JSONValue(text: application?.application), "digest": .string(digest),
            "fingerprint": .string(fingerprint), "tag": .string(tag), "note": .string(note),
            "author": .string(author), "addedAt": .integer(addedAt.milliseconds),
            "size": .integer(Int64(size)),
        ])
    }
}
