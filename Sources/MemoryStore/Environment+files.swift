import DefinitionModel
import FileExchange
import SyncEngine

extension Environment {
    func known(_ request: FileRequest) -> KnownFile? {
        files[ByteKey(request.guid)].map { KnownFile(file: $0, namedBy: recordsNaming(request)) }
    }

    /// Returns records that name the file now, or may name it in an open conflict.
    func recordsNaming(_ request: FileRequest) -> [NamingRecord] {
        let naming = links.compactMap { link, isCurrent -> StoredRecord? in
            guard link.target == ByteKey(request.guid), let record = records[link.source]?.stored,
                (isCurrent && !record.isDeleted) || record.isConflicted
            else { return nil }
            return record
        }
        let nearest = naming.sorted { left, right in
            let (near, far) = (nearness(of: left, to: request), nearness(of: right, to: request))
            return near == far ? ByteKey(left.guid) < ByteKey(right.guid) : near > far
        }
        return nearest.prefix(request.limit).map { record in
            NamingRecord(
                record: record,
                conflicts: record.isConflicted ? openConflicts(of: record.guid) : [])
        }
    }

    private func nearness(of record: StoredRecord, to request: FileRequest) -> Int {
        (ByteKey(record.owner) == ByteKey(request.login) ? 1 : 0)
            + (ByteKey(record.group) == ByteKey(request.group) ? 1 : 0)
    }

    /// Records that a file is named. The first user to name an unknown file becomes its author.
    mutating func claim(_ guid: String, for login: String, at moment: Instant) {
        var file =
            files[ByteKey(guid)]
            ?? StoredFile(guid: guid, login: login, at: moment, isNamed: true, upload: nil)
        file.isNamed = true
        files[ByteKey(guid)] = file
    }

    /// Marks the files that no record names as loose.
    mutating func loosen(_ guids: [ByteKey]) {
        for guid in guids where !links.keys.contains(where: { $0.target == guid }) {
            files[guid]?.isNamed = false
        }
    }

    func looseFiles(of login: String, besides guid: String) -> UnreferencedFiles {
        let loose = files.filter {
            $0.key != ByteKey(guid) && ByteKey($0.value.login) == ByteKey(login)
                && !$0.value.isNamed
        }
        return UnreferencedFiles(
            count: loose.count, bytes: loose.values.reduce(0) { $0 + ($1.upload?.size ?? 0) })
    }
}
