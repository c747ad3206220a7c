/// `GET /v1/ENVIRONMENT/conflicts`: records with open conflicts, ordered by model and guid.
package struct ConflictsResponse: Codable, Hashable, Sendable {
    package var records: [RecordMessage]
    /// For the next page; absent on the last page.
    package var cursor: String?

    package init(records: [RecordMessage], cursor: String?) {
        self.records = records
        self.cursor = cursor
    }
}
