import DefinitionModel

/// The properties of a record that determine its batch.
struct SentRecord: Hashable {
    let guid: String
    /// Guids of the records that this record belongs to.
    let targets: [String]
    let load: BatchLoad
}

/// The size of a batch.
struct BatchLoad: Hashable {
    var records: Int
    /// The bytes of the records.
    var bytes: Int
    /// The files of the records in the archive.
    var files: Int
    var fileBytes: Int64

    static let none = BatchLoad(records: 0, bytes: 0, files: 0, fileBytes: 0)

    static func + (one: BatchLoad, other: BatchLoad) -> BatchLoad {
        BatchLoad(
            records: one.records + other.records, bytes: one.bytes + other.bytes,
            files: one.files + other.files, fileBytes: one.fileBytes + other.fileBytes)
    }

    func isWithin(_ max: BatchLoad) -> Bool {
        records <= max.records && bytes <= max.bytes && files <= max.files
            && fileBytes <= max.fileBytes
    }
}

/// Divides records into batches of at most `max`, given as indices. A record is never in an earlier
/// batch than one that it belongs to. Records that belong to each other in a cycle stay together if
/// they fit into one batch. A record larger than `max` has a batch of its own. Time and memory are
/// linear in the number of records and relations.
func batches(of records: [SentRecord], upTo max: BatchLoad) -> [[Int]] {
    var builder = BatchBuilder(max: max)
    for component in components(of: records) {
        let load = component.reduce(.none) { $0 + records[$1].load }
        if !builder.hasRoom(for: load) { builder.endBatch() }
        for place in component { builder.add(place, records[place].load) }
    }
    builder.endBatch()
    return builder.batches
}

private struct BatchBuilder {
    let max: BatchLoad
    private(set) var batches: [[Int]] = []
    private var batch: [Int] = []
    private var load = BatchLoad.none

    init(max: BatchLoad) {
        self.max = max
    }

    func hasRoom(for more: BatchLoad) -> Bool { (load + more).isWithin(max) }

    mutating func add(_ place: Int, _ more: BatchLoad) {
        if !hasRoom(for: more) { endBatch() }
        batch.append(place)
        load = load + more
    }

    mutating func endBatch() {
        if !batch.isEmpty { batches.append(batch) }
        batch = []
        load = .none
    }
}

/// The strongly connected components of the relations, targets first.
private func components(of records: [SentRecord]) -> [[Int]] {
    let places = Dictionary(
        records.enumerated().map { ($0.element.guid, $0.offset) },
        uniquingKeysWith: { _, later in later })
    return stronglyConnectedComponents(
        of: records.map { record in record.targets.compactMap { places[$0] } })
}
