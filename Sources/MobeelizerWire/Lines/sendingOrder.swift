/// What of a record decides when it can be taken in.
struct SentRecord: Hashable {
    let guid: String
    /// Guids of the records that it belongs to.
    let targets: [String]
}

/// Divides records into batches of at most so many, by their places: none comes in an earlier batch
/// than one that it belongs to. Records that belong to each other in a circle stay together as long
/// as they fit into one batch. Takes time and memory in proportion to the records and relations.
func batches(of records: [SentRecord], upTo max: Int) -> [[Int]] {
    var batches: [[Int]] = []
    var batch: [Int] = []
    for circle in circles(of: records) {
        if !batch.isEmpty, batch.count + circle.count > max {
            batches.append(batch)
            batch = []
        }
        batch += circle
        while batch.count > max {
            batches.append(Array(batch.prefix(max)))
            batch.removeFirst(max)
        }
    }
    return batch.isEmpty ? batches : batches + [batch]
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
