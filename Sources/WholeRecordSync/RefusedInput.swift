package import ChangeRules
import JSON
package import SyncEngine

/// Data that a client has sent and that was not taken in, or not as it was sent. It is kept for the
/// operators, because the client is not told: it would stop for ever.
package struct RefusedInput: Hashable, Sendable {
    package let device: DeviceKey
    /// Empty, like the guid, if the data does not tell.
    package let model: String
    package let guid: String
    /// A JSON object: see the initializers.
    package let content: String
    package let causes: [Cause]
    /// A file or an archive that is too large for the content, and is kept beside it.
    package let contents: KeptContents?

    /// Creates a value as a store has it.
    package init(
        device: DeviceKey, model: String, guid: String, content: String, causes: [Cause],
        contents: KeptContents? = nil
    ) {
        self.device = device
        self.model = model
        self.guid = guid
        self.content = content
        self.causes = causes
        self.contents = contents
    }

    /// The size that counts for limits, without `contents`.
    package var bytes: Int {
        model.utf8.count + guid.utf8.count + content.utf8.count + causesText.utf8.count
    }

    package var causesText: String { StoredCauses.text(of: causes) }
}

extension RefusedInput {
    /// Fields of a change: `{"action":"update","fields":{"title":"x"}}`.
    init(
        of change: Change, _ fields: [String: JSONValue], by device: DeviceKey, _ causes: [Cause]
    ) {
        self.init(
            device: device, model: change.model.nameInList, guid: change.guid,
            content: JSONText.text(of: [
                "action": .string(change.action.rawValue), "fields": .object(fields),
            ]), causes: causes)
    }

    /// Data that is no record: `{"data":"…"}`, or `{"latin1":"…"}` with a character for each byte
    /// if it is no UTF-8.
    package init(of data: [UInt8], by device: DeviceKey, reason: String) {
        let text = String(validating: data, as: UTF8.self)
        let content: [String: JSONValue] =
            text.map { ["data": .string($0)] }
            ?? ["latin1": .string(String(String.UnicodeScalarView(data.map(UnicodeScalar.init))))]
        self.init(
            device: device, model: "", guid: "", content: JSONText.text(of: content),
            causes: [
                Cause(
                    .recorded(
                        RecordedReason(code: "illegible", message: reason, argument: nil)))
            ])
    }

    /// The contents of a file that a record names, or no record: `{"file":"…"}`.
    package init(
        ofFile file: String, namedBy record: FullRecord?, by device: DeviceKey,
        _ reason: RecordedReason, _ contents: KeptContents?
    ) {
        self.init(
            device: device, model: record?.model.nameInList ?? "", guid: record?.guid ?? "",
            content: JSONText.text(of: ["file": .string(file)]), causes: [Cause(.recorded(reason))],
            contents: contents)
    }

    /// An archive that cannot be read as a whole: `{"archive":true}`. Without contents, its device
    /// has it.
    package init(ofArchive contents: KeptContents?, by device: DeviceKey, reason: String) {
        self.init(
            device: device, model: "", guid: "",
            content: JSONText.text(of: ["archive": .boolean(true)]),
            causes: [
                Cause(
                    .recorded(
                        RecordedReason(code: "illegible", message: reason, argument: nil)))
            ], contents: contents)
    }
}

/// Bytes in the `BlobStore` of an environment that its list of refusals holds.
package struct KeptContents: Hashable, Sendable {
    package let hash: ContentHash
    /// In bytes.
    package let size: Int64

    package init(hash: ContentHash, size: Int64) {
        self.hash = hash
        self.size = size
    }
}

extension String {
    /// A model's name as a client gives it, which can be any text.
    fileprivate var nameInList: String {
        shortenedName.replacing("\u{0}", with: "\u{FFFD}")
    }
}

/// A refusal in the list of an environment.
package struct StoredRefusal: Hashable, Sendable {
    /// Ascends in the order of the list.
    package let number: Int64
    package let at: Instant
    package let refusal: RefusedInput

    package init(number: Int64, at: Instant, refusal: RefusedInput) {
        self.number = number
        self.at = at
        self.refusal = refusal
    }
}
