import ChangeRules
import DefinitionModel
import Foundation
import JSON
import TestKit

@testable import Waggle

/// Random reels, and random queries for them as a device and as the server ask.
struct RandomReels {
    private var random: SplitMix64
    private(set) var places: [GeoPoint] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    // MARK: - Records

    mutating func reel(_ guid: String) -> RecordValues {
        var reel = RecordValues(model: "Reel", guid: guid)
        reel["size"] = json(deep: 3).text.stored
        reel["notes"] = number(0...3) == 0 ? .null : json(deep: 2).text.stored
        reel["reach"] = number(0...3) == 0 ? .null : Int64(number(0...2_000_000)).stored
        let place = number(0...5) == 0 ? nil : self.place()
        if let place { places.append(place) }
        reel["shotAt"] = place?.stored ?? .null
        return reel
    }

    /// Near each other, to the poles and to the date line.
    private mutating func place() -> GeoPoint {
        if !places.isEmpty, number(0...5) == 0 { return one(of: places) }
        let anchor = one(of: [
            (52.52, 13.405), (89.9, 0), (-90, 5), (0, 180), (0, -180), (-17.7, 179.99),
            (10, -179.95), (0, 0),
        ])
        let scale = one(of: [0, 1e-9, 1e-4, 0.05, 3, 40])
        let (north, east) = (Double(number(-100...100)) / 100, Double(number(-100...100)) / 100)
        return GeoPoint(
            latitude: min(90, max(-90, anchor.0 + north * scale)),
            longitude: min(180, max(-180, anchor.1 + east * scale)))
            ?? GeoPoint(canonical: "0,0")
    }

    private mutating func json(deep depth: Int) -> JSONValue {
        if number(0...3) == 0 {
            return .array((0..<number(0...3)).map { _ in value(deep: depth - 1) })
        }
        var members: [String: JSONValue] = [:]
        for name in ["a", "b", "0"] where number(0...1) == 0 {
            members[name] = value(deep: depth - 1)
        }
        return .object(members)
    }

    private mutating func value(deep depth: Int) -> JSONValue {
        if depth > 0, number(0...1) == 0 { return json(deep: depth) }
        return one(of: [
            .integer(0), .integer(1), .integer(2), .decimal("1.5"), .decimal("0.1"), .string("a"),
            .string("b"), .string("1"), .boolean(true), .null,
        ])
    }

    // MARK: - Queries

    /// A condition of the library and the same filter of the server.
    struct Pair {
        let condition: Condition<Reel>
        let filter: QueryFilter
    }

    struct Order {
        let sorted: (Query<Reel>) -> Query<Reel>
        let operand: String
        let descends: Bool
    }

    mutating func order() -> Order {
        let (start, kind) = (place(), number(0...3))
        let distance = Distance(\Reel.shotAt, from: start)
        switch kind {
        case 0: return Order(sorted: { $0 }, operand: "$guid", descends: false)
        case 1:
            return Order(
                sorted: { $0.order(byDescending: distance) }, operand: operand(from: start),
                descends: true)
        default:
            return Order(
                sorted: { $0.order(by: distance) }, operand: operand(from: start),
                descends: false)
        }
    }

    mutating func page() -> (skipped: Int, limit: Int?) {
        (number(0...3) == 0 ? number(1...9) : 0, number(0...2) == 0 ? nil : number(0...12))
    }

    mutating func pair(deep depth: Int = 3) -> Pair {
        guard depth > 1, number(0...2) == 0 else { return leaf() }
        let (first, second) = (pair(deep: depth - 1), pair(deep: depth - 1))
        switch number(0...2) {
        case 0:
            return Pair(
                condition: first.condition && second.condition,
                filter: .and([first.filter, second.filter]))
        case 1:
            return Pair(
                condition: first.condition || second.condition,
                filter: .or([first.filter, second.filter]))
        default: return Pair(condition: !first.condition, filter: .not(first.filter))
        }
    }

    private mutating func leaf() -> Pair {
        switch number(0...5) {
        case 0, 1: return distance()
        case 2: return area()
        case 3: return Pair(condition: \.shotAt == nil, filter: .null(operand: "shotAt"))
        case 4:
            let (names, test) = (names(), test())
            return Pair(
                condition: Condition(\.size, .inside(names, test)),
                filter: .inside(operand: "size", JSONCondition(path: names, test.test)))
        default:
            let (names, test) = (names(), test())
            return Pair(
                condition: Condition(\.notes, .inside(names, test)),
                filter: .inside(operand: "notes", JSONCondition(path: names, test.test)))
        }
    }

    private mutating func distance() -> Pair {
        let start = place()
        let distance = Distance(\Reel.shotAt, from: start)
        let operand = operand(from: start)
        let comparison = one(of: QueryFilter.Comparison.allCases)
        guard number(0...3) > 0 else {
            return Pair(
                condition: comparison.compared(distance, \.reach),
                filter: .compare(comparison, operand: operand, with: .field("reach")))
        }
        let meters = meters(from: start)
        return Pair(
            condition: comparison.compared(distance, meters),
            filter: .compare(
                comparison, operand: operand, with: .value(.string(meters.description))))
    }

    /// Often the very distance of a place, or a millimeter or less beside it.
    private mutating func meters(from start: GeoPoint) -> ExactDecimal {
        guard number(0...2) > 0, let one = GeoPosition(start.text),
            let other = GeoPosition(places.isEmpty ? "0,0" : self.one(of: places).text)
        else {
            let round = [-1, 0, 1, 100, 50_000, 3_000_000, 20_015_087]
            return ExactDecimal(Int64(self.one(of: round)))
        }
        let exact = ExactDecimal(one.meters(to: other))
        let beside = self.one(of: ["0", "0.001", "-0.001", "0.0004"])
        let sum = (ExactDecimal(beside)?.value ?? 0) + exact.value
        return ExactDecimal(sum) ?? exact
    }

    private mutating func area() -> Pair {
        if number(0...1) == 0 {
            let (southWest, northEast) = (place(), place())
            let positions = [southWest, northEast].compactMap { GeoPosition($0.text) }
            return Pair(
                condition: Condition(
                    \.shotAt, .isInBox(southWest: southWest, northEast: northEast)),
                filter: .within(
                    operand: "shotAt", .box(southWest: positions[0], northEast: positions[1])))
        }
        let corners = (0..<number(3...5)).map { _ in place() }
        return Pair(
            condition: Condition(\.shotAt, .isInPolygon(corners)),
            filter: .within(
                operand: "shotAt", .polygon(corners.compactMap { GeoPosition($0.text) })))
    }

    private mutating func names() -> [String] {
        (0..<number(0...2)).map { _ in one(of: ["a", "b", "0", "1"]) }
    }

    private mutating func test() -> JSONTest {
        let item = JSONItem(value(deep: 2))
        let items = (0..<number(0...3)).map { _ in JSONItem(value(deep: 1)) }
        return one(of: [
            .equals(item), .isIn(items), .isLess(than: item), .isAtMost(item),
            .isGreater(than: item), .isAtLeast(item), .hasAll(items), .hasOnly(items), .exists,
            .hasPrefix("a"), .hasSuffix("b"), .contains("a"),
        ])
    }

    private func operand(from start: GeoPoint) -> String {
        "$distance:shotAt:" + start.text.replacing(",", with: ":")
    }
}

extension QueryFilter.Comparison {
    fileprivate func compared(
        _ distance: Distance<Reel>, _ meters: ExactDecimal
    ) -> Condition<Reel> {
        switch self {
        case .eq: distance == meters
        case .ne: distance != meters
        case .lt: distance < meters
        case .le: distance <= meters
        case .gt: distance > meters
        case .ge: distance >= meters
        }
    }

    fileprivate func compared(
        _ distance: Distance<Reel>, _ path: KeyPath<Reel, Int64?>
    ) -> Condition<Reel> {
        switch self {
        case .eq: distance == path
        case .ne: distance != path
        case .lt: distance < path
        case .le: distance <= path
        case .gt: distance > path
        case .ge: distance >= path
        }
    }
}

extension JSONItem {
    fileprivate init(_ json: JSONValue) {
        switch json {
        case .null, .unrepresentable: self = nil
        case .boolean(let flag): self.init(flag)
        case .integer(let number): self.init(number)
        case .decimal(let text): self.init(ExactDecimal(canonical: text))
        case .string(let text): self.init(text)
        case .array, .object: self.init(JSONDocument(canonical: json.text))
        }
    }
}
