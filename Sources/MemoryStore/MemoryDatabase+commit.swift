package import SyncEngine

extension MemoryDatabase {
    package func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) throws(StoreError) -> Committed<Result> {
        try write(in: need.environment) { environment throws(StoreError) in
            let records = environment.records(need.guids)
            let facts = environment.facts(
                for: need, records: records, holdersOf: try wanting(records))
            let (writes, result) = try deciding(facts)
            try environment.carryOut(writes, of: need.device)
            return Committed(result: result, page: request.map { environment.page($0) })
        }
    }
}
