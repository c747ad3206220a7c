package import SyncEngine

/// The part of a store that keeps drafts of definitions. Every call is one transaction.
package protocol DraftStore: Sendable {
    /// Returns all drafts, sorted by name.
    func drafts() async throws(StoreError) -> [StoredDraft]

    /// Returns a draft with its text.
    func draft(named name: String) async throws(StoreError) -> (StoredDraft, source: [UInt8])?

    /// Writes a draft if its revision is the base. Returns false if it has another one, if a new
    /// draft exists already, or if a new one would be one of more than `max`.
    func write(_ draft: WrittenDraft, upTo max: Int) async throws(StoreError) -> Bool

    /// Returns false if there is no such draft.
    func removeDraft(named name: String) async throws(StoreError) -> Bool
}
