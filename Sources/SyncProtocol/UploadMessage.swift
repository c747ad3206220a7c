/// The progress of an upload: the response to `PUT /v1/ENVIRONMENT/files/GUID` and to `GET
/// /v1/ENVIRONMENT/files/GUID/upload`.
package struct UploadMessage: Codable, Hashable, Sendable {
    package var guid: String
    /// Whether all bytes have arrived and match the digest.
    package var complete: Bool
    /// The number of received bytes.
    package var received: Int64
    /// The size of the whole file; omitted before the upload has begun.
    package var size: Int64?

    package init(guid: String, complete: Bool, received: Int64, size: Int64? = nil) {
        self.guid = guid
        self.complete = complete
        self.received = received
        self.size = size
    }
}
