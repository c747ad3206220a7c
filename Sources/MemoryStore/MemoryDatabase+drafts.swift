package import Administration
package import SyncEngine

extension MemoryDatabase {
    package func drafts() throws(StoreError) -> [StoredDraft] {
        read().administration.drafts.map(\.stored).sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
    }

    package func draft(
        named name: String
    ) throws(StoreError) -> (StoredDraft, source: [UInt8])? {
        read().administration.drafts.first { $0.name == name }.map { ($0.stored, $0.source) }
    }

    package func write(_ draft: WrittenDraft, upTo max: Int) throws(StoreError) -> Bool {
        try write { contents in
            let all = contents.administration.drafts
            let place = all.firstIndex { $0.name == draft.name }
            let present = place.map { all[$0].stored.revision } ?? 0
            guard present == draft.base, place != nil || all.count < max else { return false }
            contents.administration.drafts.removeAll { $0.name == draft.name }
            contents.administration.drafts.append(draft)
            return true
        }
    }

    package func removeDraft(named name: String) throws(StoreError) -> Bool {
        try write { contents in
            let count = contents.administration.drafts.count
            contents.administration.drafts.removeAll { $0.name == name }
            return contents.administration.drafts.count < count
        }
    }
}
