import AccessPolicy

/// Compares the records that a client holds with those that it may see.
struct PullFilter {
    let readFilter: ReadFilter
    /// The client's view before the change of rights that the pull reports.
    let previousPolicy: PreviousReadPolicy?

    func fields(of names: PageRecords.Names, in page: PageRecords) -> FieldSelection? {
        readFilter.fields(of: page.text(at: names.model), page.ownership(names))
    }

    /// Whether a record that has not changed since the client's rights changed looks the same under
    /// both, or is a tombstone that the client knows.
    func holdsTheSame(of page: PageRecords, at place: Int, _ cursor: Cursor) -> Bool {
        guard let previousPolicy, page.rows[place].lastChanged <= cursor.heldSince else {
            return false
        }
        let row = page.rows[place]
        let (model, ownership) = (page.text(at: row.names.model), page.ownership(row.names))
        let view = readFilter.view(of: model, ownership)
        let former = previousPolicy.view(of: model, ownership)
        let isGone = row.isDeleted && !row.isConflicted
        return isGone || previousPolicy.isSame(former, as: view, of: model)
    }

    /// Whether the client may have received the record, under its present rights or its former
    /// ones.
    func wasSeen(_ page: PageRecords, at place: Int, until cursor: Cursor) -> Bool {
        let (past, names) = (page.past(at: place), page.rows[place].names)
        let (model, ownership) = (page.text(at: names.model), page.ownership(names))
        let lately = past.ownerships(
            from: cursor.heldSince, through: cursor.position, now: ownership)
        if lately.contains(where: { readFilter.view(of: model, $0) != .nothing }) { return true }
        guard case .changing(_, let since, let until) = cursor.phase, let previousPolicy else {
            return false
        }
        return past.ownerships(from: since, through: until, now: ownership)
            .contains { previousPolicy.view(of: model, $0) != .nothing }
    }
}
