import DefinitionModel
package import FileExchange
package import SyncEngine
import WholeRecordSync

extension MemoryDatabase: FileStore {
    package func file(
        _ request: FileRequest
    ) throws(StoreError) -> (known: KnownFile?, fingerprint: String) {
        let environment = try read(request.environment)
        return (environment.known(request), environment.state.fingerprint)
    }

    package func changeFile<Result: Sendable>(
        _ guid: String, of login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (FileState) -> (StoredFile?, Result)
    ) throws(StoreError) -> Result {
        try write(in: environment) { environment in
            let state = FileState(
                file: environment.files[ByteKey(guid)],
                loose: environment.looseFiles(of: login, besides: guid))
            let (file, result) = deciding(state)
            if let file { environment.files[ByteKey(file.guid)] = file }
            return result
        }
    }

    package func sweepFiles(_ request: SweepRequest) throws(StoreError) -> Int {
        try write(in: request.environment) { environment in
            let old = environment.files.filter {
                !$0.value.isNamed && $0.value.at < request.before
            }
            let oldest = old.sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
                .prefix(request.limit)
            for (key, _) in oldest { environment.files[key] = nil }
            return oldest.count
        }
    }

    package func held(contents: Set<ContentHash>) throws(StoreError) -> Set<ContentHash> {
        let refused = read().environments.values.flatMap { environment in
            environment.refusals.compactMap(\.refusal.contents?.hash)
        }
        return contents.intersection(uploads.filter(\.isComplete).map(\.contents) + refused)
    }

    package func held(uploads ids: Set<String>) throws(StoreError) -> Set<String> {
        ids.intersection(uploads.filter { !$0.isComplete }.map(\.id))
    }

    /// The uploads of every environment.
    private var uploads: [StoredUpload] {
        read().environments.values.flatMap { $0.files.values.compactMap(\.upload) }
    }
}
