import JSON

extension CopyableStore {
    /// Returns the refusal that a version meets in what an environment stores, as
    /// `NewVersion.adaptRecords` finds it: `instanceInUse`, `valuesNotUnique`, or nil. Changes
    /// nothing, and keeps no writer waiting.
    ///
    /// Reads all records, if there are more than `atMost` values once and then again for each part
    /// of so many.
    ///
    /// - Parameter atMost: The unique values that are kept in memory, each with about 40 bytes.
    package func refusal(
        of version: NewVersion, in environment: EnvironmentID, keeping atMost: Int = 1_000_000
    ) async throws(StoreError) -> DeploymentRefusal? {
        let adaptation = version.adaptation
        guard adaptation.findsUniqueValues || version.replacesInstance else { return nil }
        var count = RepeatedValueCount(keeping: atMost)
        repeat {
            let isUsed = try await visitRecords(in: environment) { _, model, fields in
                for value in adaptation.uniqueValues(in: fields, of: model) { count.add(value) }
            }
            guard !version.replacesInstance || !isUsed else { return .instanceInUse }
        } while count.beginNextPart()
        return count.repeated.isEmpty ? nil : DeploymentRefusal(count.repeated)
    }
}

/// Counts the values that another record has, in bounded memory. More values than may be kept are
/// divided into parts by their hashes, and each part is counted by a pass over all of them.
///
/// The values are compared by hashes of 128 bits, with a key that is new in each process.
struct RepeatedValueCount {
    private let atMost: Int
    /// The number of parts; 0 until all values were seen once.
    private var parts = 0
    private var part = 0
    private var values = 0
    private var kept: Set<ValueHash> = []
    /// The number of values that another record has, in the parts that were counted.
    private(set) var repeated: [RepeatedField: Int] = [:]

    init(keeping atMost: Int) { self.atMost = atMost }

    mutating func add(_ value: UniqueValue) {
        values += 1
        let hash = ValueHash(value)
        if parts == 0 {
            // Those that were counted so far are counted again, by parts.
            if values > atMost { return forget() }
        } else if hash.part(of: parts) != part {
            return
        }
        guard !kept.insert(hash).inserted else { return }
        repeated[RepeatedField(model: value.model, name: value.field), default: 0] += 1
    }

    /// Ends a pass. Returns whether there must be another one.
    mutating func beginNextPart() -> Bool {
        if parts > 0 {
            part += 1
        } else {
            parts = values > atMost ? (values + atMost - 1) / atMost : 0
        }
        kept = []
        return part < parts
    }

    private mutating func forget() {
        kept = []
        repeated = [:]
    }
}

/// A field that has values which another record has too.
struct RepeatedField: Hashable {
    let model: String
    let name: String
}

extension DeploymentRefusal {
    /// - Parameter repeated: The number of values that another record has, by field; not empty.
    init(_ repeated: [RepeatedField: Int]) {
        self = .valuesNotUnique(
            repeated.sorted { ($0.key.model, $0.key.name) < ($1.key.model, $1.key.name) }.map {
                RepeatedValues(model: $0.key.model, field: $0.key.name, records: $0.value)
            })
    }
}

private struct ValueHash: Hashable {
    private let first: Int
    private let second: Int

    init(_ value: UniqueValue) {
        first = Self.hash(value, salt: 1)
        second = Self.hash(value, salt: 2)
    }

    private static func hash(_ value: UniqueValue, salt: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(value)
        return hasher.finalize()
    }

    func part(of parts: Int) -> Int { Int(first.magnitude % UInt(parts)) }
}
