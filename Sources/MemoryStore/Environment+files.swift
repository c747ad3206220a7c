import DefinitionModel
import FileExchange
import SyncEngine

extension Environment {
    func known(_ request: FileRequest) -> KnownFile? {
        files[ByteKey(request.guid)].map {
            KnownFile(file: $0, namedBy: recordsNaming(request.naming).first ?? [])
        }
    }

    /// Returns records that name each file now, or may name it in an open conflict.
    func recordsNaming(_ question: NamingQuestion) -> [[NamingRecord]] {
        var bytes = 0
        return question.files.map { file in
            var found: [NamingRecord] = []
            for record in nearest(naming: file, question) where bytes < question.limit.bytes {
                let conflicts = record.isConflicted ? openConflicts(of: record.guid) : []
                bytes += conflicts.reduce(record.fieldsText.utf8.count) {
                    $0 + $1.text.utf8.count
                }
                found.append(NamingRecord(record: record, conflicts: conflicts))
            }
            return found
        }
    }

    private func nearest(
        naming file: String, _ question: NamingQuestion
    ) -> ArraySlice<StoredRecord> {
        let naming = links.filter { $0.key.target == ByteKey(file) }.prefix(question.limit.links)
            .compactMap { link, isCurrent -> StoredRecord? in
                guard let record = records[link.source]?.stored,
                    (isCurrent && !record.isDeleted) || record.isConflicted
                else { return nil }
                return record
            }
        return naming.sorted { left, right in
            let (near, far) = (nearness(of: left, to: question), nearness(of: right, to: question))
            return near == far ? ByteKey(left.guid) < ByteKey(right.guid) : near > far
        }.prefix(question.limit.records)
    }

    private func nearness(of record: StoredRecord, to question: NamingQuestion) -> Int {
        (ByteKey(record.owner) == ByteKey(question.login) ? 1 : 0)
            + (ByteKey(record.group) == ByteKey(question.group) ? 1 : 0)
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
