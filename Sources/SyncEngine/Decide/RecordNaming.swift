import DefinitionModel
import Hashing

/// Derives the guids of records that wires with opaque ids create.
///
/// Such an id is any text of 1 to 255 characters without U+0000, unique in its model for good. The
/// guid is a UUID of version 8 (RFC 9562, section 5.8): the beginning of an HMAC-SHA256 of model
/// and id under a secret key of the environment. The same id always gives the same guid, so
/// references need no look-up, and nobody else can compute the guid of an id.
package struct RecordNaming: Sendable {
    /// In UTF-16 code units, as the clients count.
    package static let maxLength = 255

    /// A hash that has begun takes 200 bytes, and each change is decided with a copy of the naming.
    private final class KeyedHash: Sendable {
        let hash: HMACSHA256

        init(key: [UInt8]) { hash = HMACSHA256(key: key) }
    }

    private let keyed: KeyedHash
    /// By model, the names that earlier versions gave it.
    private var earlierNames: [String: [String]] = [:]

    /// Creates a naming with the environment's key `EnvironmentKey.names`.
    package init(key: [UInt8]) { keyed = KeyedHash(key: key) }

    /// The same for records of models that versions renamed, in the order of the versions.
    func following(_ versions: [Definition]) -> RecordNaming {
        var naming = self
        for version in versions {
            var names: [String: [String]] = [:]
            for model in version.models {
                let former = naming.earlierNames[model.name] ?? []
                let renamed = model.renamedFrom.flatMap { [$0] + (naming.earlierNames[$0] ?? []) }
                names[model.name] = (former + renamed).reduce(into: []) {
                    if !$0.contains($1) { $0.append($1) }
                }
            }
            naming.earlierNames.merge(names) { $1 }
        }
        naming.earlierNames = naming.earlierNames.filter { !$0.value.isEmpty }
        return naming
    }

    /// Whether a guid may be one that stands for an opaque id. If not, the guid is the id.
    package static func mayStandForName(_ guid: String) -> Bool {
        isGuid(guid) && guid.utf8.dropFirst(14).first == UInt8(ascii: "8")
    }

    /// The same of the bytes of a guid.
    package static func mayStandForName(_ guid: UnsafeBufferPointer<UInt8>) -> Bool {
        guid.count == 36 && guid[14] == UInt8(ascii: "8")
    }

    /// Returns nil if the id is empty or too long, or has a zero byte, with which some databases
    /// end a text. Ids are compared by bytes.
    package func guid(of name: String, in model: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 3 * Self.maxLength,
            name.utf16.count <= Self.maxLength, !name.utf8.contains(0)
        else { return nil }
        // Names of models have no zero byte.
        var bytes = Array(keyed.hash.hash(Array(model.utf8) + [0] + Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { hexadecimal(bytes[$0]) }.joined(separator: "-")
    }

    /// Returns the guids of which a record with an id has one: that of new records, and those that
    /// the id stood for when its model had another name. None for an illegal id.
    package func guids(of name: String, in model: String) -> [String] {
        [guid(of: name, in: model)].compactMap { $0 } + earlierGuids(of: name, in: model)
    }

    fileprivate func earlierGuids(of name: String, in model: String) -> [String] {
        (earlierNames[model] ?? []).compactMap { guid(of: name, in: $0) }
    }
}

/// A record's id on a wire with opaque ids.
package struct RecordID: Hashable, Sendable {
    package let guid: String
    /// The id as the client wrote it, to be given to `Change.name` of a creation; nil if the id is
    /// the guid.
    package let name: String?
}

extension Engine {
    /// Returns the record that each id stands for, whether it exists or not; nil for an id that is
    /// empty, too long or has a zero byte.
    ///
    /// An id in the form of a UUID is the guid, unless a record of another model has that guid.
    /// Throws if the engine was created without a `RecordNaming`.
    package func recordIDs(
        of ids: [String], in model: String
    ) async throws(SyncError) -> [RecordID?] {
        guard let naming else { throw .store(.failed("this engine has no key for opaque ids")) }
        let guids = ids.filter(isGuid) + ids.flatMap { naming.earlierGuids(of: $0, in: model) }
        let models =
            guids.isEmpty
            ? []
            : try await reading { () async throws(StoreError) in
                try await store.search(in: environment, readingNames: false) {
                    try $0.models(guids)
                }
            }
        var (own, foreign): (Set<ByteKey>, Set<ByteKey>) = ([], [])
        for (guid, found) in zip(guids, models) {
            guard let found else { continue }
            if found.hasSameBytes(as: model) {
                own.insert(ByteKey(guid))
            } else {
                foreign.insert(ByteKey(guid))
            }
        }
        return ids.map { id in
            if isGuid(id), !foreign.contains(ByteKey(id)) { return RecordID(guid: id, name: nil) }
            let earlier = naming.earlierGuids(of: id, in: model).first {
                own.contains(ByteKey($0))
            }
            return (earlier ?? naming.guid(of: id, in: model)).map {
                RecordID(guid: $0, name: id)
            }
        }
    }

    /// Returns the opaque ids that guids stand for, by guid; none for a guid that is its own id.
    ///
    /// No right is asked for: whoever sees the guid in a relation sees which record it is, and the
    /// id names the same one. It does not depend on whether the record is there.
    package func names(of guids: [String]) async throws(SyncError) -> [String: String] {
        let named = guids.filter { RecordNaming.mayStandForName($0) }
        guard !named.isEmpty else { return [:] }
        let names = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) { try $0.names(named) }
        }
        return Dictionary(
            zip(named, names).compactMap { guid, name in name.map { (guid, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
