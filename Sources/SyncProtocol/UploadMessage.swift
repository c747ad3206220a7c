/// How far the contents of a file have come: the answer to `PUT /v1/ENVIRONMENT/files/GUID` and to
/// `GET /v1/ENVIRONMENT/files/GUID/upload`.
package struct UploadMessage: Codable, Hashable, Sendable {
    package var guid: String
    /// All of them are there, and are what they were said to be.
    package var complete: Bool
    /// Bytes that are there.
    package var received: Int64
    /// Of the whole file; left out while nobody has begun to send it.
    package var size: Int64?

    package init(guid: String, complete: Bool, received: Int64, size: Int64? = nil) {
        self.guid = guid
        self.complete = complete
        self.received = received
        self.size = size
    }
}
