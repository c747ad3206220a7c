import DefinitionModel
import Notifications
package import SyncEngine
import WholeRecordSync

extension MemoryDatabase: ErasureStore {
    package func erasures(
        in environment: EnvironmentID, after login: String, limit: Int
    ) throws(StoreError) -> [Erasure] {
        let later = try read(environment).erasures.filter { $0.key > ByteKey(login) }
        return later.sorted { $0.key < $1.key }.prefix(limit).map(\.value)
    }

    package func add(_ erasure: Erasure, in environment: EnvironmentID) throws(StoreError) {
        try write(in: environment) { $0.erasures[ByteKey(erasure.login)] = erasure }
    }

    package func redact(
        _ guids: [String], in environment: EnvironmentID
    ) throws(StoreError) -> [String] {
        try write(in: environment) { present in
            let left = guids.filter {
                present.records[ByteKey($0)].map { !$0.stored.isErased } ?? false
            }
            for guid in Set(guids.map { ByteKey($0) }).subtracting(left.map { ByteKey($0) }) {
                let count = present.history[guid]?.count ?? 0
                present.history[guid]?.removeFirst(max(0, count - 1))
                present.historySequences[guid]?.removeFirst(max(0, count - 1))
                present.conflicts[guid] = nil
                let named = present.links.keys.filter { $0.source == guid }.map(\.target)
                present.links = present.links.filter { $0.key.source != guid }
                present.loosen(named)
            }
            return left
        }
    }

    package func forgetPerson(
        _ login: String, in environment: EnvironmentID
    ) throws(StoreError) {
        try write { contents throws(StoreError) in
            contents.removeUser(login, from: environment)
            var present = try contents.environment(environment)
            let key = ByteKey(login)
            present.forgetFailedSignIns(of: login)
            present.forgetRefusals(of: key)
            present.files = present.files.filter {
                $0.value.isNamed || ByteKey($0.value.login) != key
            }
            present.notifications = present.notifications.filter { stored in
                ByteKey(stored.content.sender) != key
                    && stored.content.audience.logins.map { $0.map { ByteKey($0) } } != [key]
            }
            present.readPolicyChanges.removeAll { $0.login == key }
            for guid in present.purged.keys {
                present.ownershipChanges[guid]?.removeAll { ByteKey($0.owner) == key }
                present.reassignments.removeAll {
                    $0.guid == guid && ByteKey($0.change.owner) == key
                }
                guard let owner = present.purged[guid]?.stored.owner, ByteKey(owner) == key else {
                    continue
                }
                present.purged[guid]?.stored.owner = ""
            }
            contents.environments[environment] = present
        }
    }
}

extension Environment {
    /// Forgets what was refused from a person, and for the records that the person owns.
    fileprivate mutating func forgetRefusals(of person: ByteKey) {
        refusals.removeAll { stored in
            let guid = ByteKey(stored.refusal.guid)
            let record = records[guid] ?? purged[guid]
            return ByteKey(stored.refusal.device.login) == person
                || record.map { ByteKey($0.stored.owner) == person } ?? false
        }
    }
}
