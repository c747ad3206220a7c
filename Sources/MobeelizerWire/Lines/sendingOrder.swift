/// What of a record decides when it can be taken in.
struct SentRecord: Hashable {
    let guid: String
    /// Guids of the records that it belongs to.
    let targets: [String]
    let load: BatchLoad
}

/// What is taken in at once.
struct BatchLoad: Hashable {
    var records: Int
    /// Of the records.
    var bytes: Int
    /// That came along with them.
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

/// Divides records into batches of at most such a load, by their places: none comes in an earlier
/// batch than one that it belongs to. Records that belong to each other in a circle stay together
/// as long as they fit into one batch, and a record that is too large for any has one of its own.
/// Takes time and memory in proportion to the records and relations.
func batches(of records: [SentRecord], upTo max: BatchLoad) -> [[Int]] {
    var filling = Filling(max: max)
    for circle in circles(of: records) {
        let load = circle.reduce(.none) { $0 + records[$1].load }
        if !filling.hasRoom(for: load) { filling.endBatch() }
        for place in circle { filling.add(place, records[place].load) }
    }
    filling.endBatch()
    return filling.batches
}

private struct Filling {
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

/// The strongly connected components of the relations, targets first (Tarjan 1972), with a stack of
/// its own: a chain may be as long as there are records.
private func circles(of records: [SentRecord]) -> [[Int]] {
    var walk = Walk(records)
    for start in records.indices { walk.visit(start) }
    return walk.circles
}

private struct Walk {
    private let targets: [[Int]]
    private(set) var circles: [[Int]] = []
    private var numbers: [Int?]
    private var lowest: [Int]
    private var isOpen: [Bool]
    private var open: [Int] = []
    private var path: [(place: Int, next: Int)] = []
    private var count = 0

    init(_ records: [SentRecord]) {
        let places = Dictionary(
            records.enumerated().map { ($0.element.guid, $0.offset) },
            uniquingKeysWith: { _, later in later })
        targets = records.map { record in record.targets.compactMap { places[$0] } }
        numbers = Array(repeating: nil, count: records.count)
        lowest = Array(repeating: 0, count: records.count)
        isOpen = Array(repeating: false, count: records.count)
    }

    mutating func visit(_ start: Int) {
        guard numbers[start] == nil else { return }
        enter(start)
        while let (place, next) = path.last {
            guard next < targets[place].count else {
                leave(place)
                continue
            }
            path[path.count - 1].next += 1
            let target = targets[place][next]
            if let number = numbers[target] {
                if isOpen[target] { lowest[place] = min(lowest[place], number) }
            } else {
                enter(target)
            }
        }
    }

    private mutating func enter(_ place: Int) {
        numbers[place] = count
        lowest[place] = count
        count += 1
        open.append(place)
        isOpen[place] = true
        path.append((place, 0))
    }

    private mutating func leave(_ place: Int) {
        path.removeLast()
        if let parent = path.last?.place { lowest[parent] = min(lowest[parent], lowest[place]) }
        guard lowest[place] == numbers[place] else { return }
        var circle: [Int] = []
        while let member = open.popLast() {
            isOpen[member] = false
            circle.append(member)
            if member == place { break }
        }
        circles.append(circle.sorted())
    }
}
