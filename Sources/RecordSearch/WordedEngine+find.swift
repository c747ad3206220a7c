package import SyncEngine
package import VersionTranslation

extension WordedEngine {
    /// Returns a page of the records of a model; see `Engine.find`. There are no records of a model
    /// that is not served.
    package func find(
        _ query: FindQuery, of model: String, for caller: Caller
    ) async throws(SyncError) -> FindPage {
        guard let translation else {
            return try await engine.find(query, of: model, for: caller)
        }
        guard translation.model(calledByClient: model) != nil else {
            return FindPage(
                found: [], hasMore: false, cursor: nil, count: query.counts ? 0 : nil)
        }
        return try await engine.find(query, of: model, in: translation, for: caller)
    }
}

extension Engine {
    /// The same for a client of another version, in its words. Throws `find(.modelUnknown)` for a
    /// model that is not served.
    package func find(
        _ query: FindQuery, of model: String, in translation: ClientTranslation,
        for caller: Caller
    ) async throws(SyncError) -> FindPage {
        var served = query
        served.filter = query.filter.map { translation.servedFilter($0, ofModel: model) }
        served.sort = query.sort.compactMap { $0.served(by: translation, ofModel: model) }
        served.fields = translation.servedFields(query.fields, ofModel: model)
        served.keepsText = false
        let page = try await find(served, of: translation.servedModel(model), for: caller)
        return FindPage(
            found: page.found.compactMap { found in
                translation.clientView(
                    of: found.record, for: caller.asker, fields: query.fields
                ).map {
                    FoundView(
                        record: $0, id: found.id, createdAt: found.createdAt,
                        changedAt: found.changedAt)
                }
            }, hasMore: page.hasMore, cursor: page.cursor, count: page.count,
            skipped: page.skipped)
    }
}

extension FindQuery.SortKey {
    /// Nil for a field that is not served, which orders nothing.
    fileprivate func served(
        by translation: ClientTranslation, ofModel model: String
    ) -> FindQuery.SortKey? {
        translation.servedOperand(operand, ofModel: model).map {
            FindQuery.SortKey(
                $0, descends: descends, beginsWithNull: beginsWithNull, isByLetters: isByLetters)
        }
    }
}
