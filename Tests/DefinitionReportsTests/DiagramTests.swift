import DefinitionModel
import DefinitionReports
import Foundation
import TestKit
import Testing

/// Models `m0`, `m1`, … with the given relations, and a plain field each.
private func definition(_ count: Int, _ relations: [(Int, Int)]) -> Definition {
    let models = (0..<count).map { index in
        let targets = relations.filter { $0.0 == index }.map(\.1)
        let fields = targets.enumerated().map { Sample.relation("r\($0)", to: "m\($1)") }
        return Sample.model("m\(index)", fields: [Sample.field("name")] + fields)
    }
    return Sample.definition(models: models)
}

private func random(_ seed: UInt64) -> Definition {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...40, using: &random)
    let relations = (0..<Int.random(in: 0...(2 * count), using: &random)).map { _ in
        (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    }
    return definition(count, relations)
}

@Suite struct DiagramTests {
    static let shapes: [(String, Definition)] = [
        ("nothing", definition(0, [])),
        ("one", definition(1, [])),
        ("apart", definition(30, [])),
        ("to itself", definition(1, [(0, 0), (0, 0), (0, 0)])),
        ("both ways", definition(2, [(0, 1), (1, 0), (0, 1), (1, 0)])),
        ("chain", definition(30, (0..<29).map { ($0, $0 + 1) })),
        ("ring", definition(30, (0..<30).map { ($0, ($0 + 1) % 30) })),
        ("star", definition(30, (1..<30).map { ($0, 0) })),
        ("fan", definition(30, (1..<30).map { (0, $0) })),
        ("everything", definition(8, (0..<8).flatMap { one in (0..<8).map { (one, $0) } })),
        ("long ways", definition(12, (0..<11).flatMap { [($0, $0 + 1), ($0, 11), (11, $0)] })),
        ("two parts", definition(6, [(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)])),
    ]

    private static let all =
        shapes.map { Diagram($0.1) } + (1...40).map { Diagram(random($0)) }
        + Documents.names.compactMap { try? Documents.definition($0) }.map(Diagram.init)

    @Test func boxesDoNotOverlap() {
        for diagram in Self.all {
            for (index, box) in diagram.boxes.enumerated() {
                for other in diagram.boxes[..<index] {
                    let isBeside =
                        box.frame.maxX + gap <= other.frame.x
                        || other.frame.maxX + gap <= box.frame.x
                    let isBelow =
                        box.frame.maxY + gap <= other.frame.y
                        || other.frame.maxY + gap <= box.frame.y
                    #expect(isBeside || isBelow, "\(box.model.name), \(other.model.name)")
                }
            }
        }
    }

    @Test func everythingIsOnPage() {
        for diagram in Self.all {
            for box in diagram.boxes {
                #expect(box.frame.x >= 0 && box.frame.y >= 0)
                #expect(box.frame.maxX <= diagram.width && box.frame.maxY <= diagram.height)
            }
            let points = diagram.lines.flatMap(\.curve.samples)
            let isInside = points.allSatisfy { point in
                point.x > -0.5 && point.x < Double(diagram.width) + 0.5 && point.y > -0.5
                    && point.y < Double(diagram.height) + 0.5
            }
            #expect(isInside)
        }
    }

    @Test func noLineRunsThroughBox() {
        for diagram in Self.all {
            for line in diagram.lines {
                let samples = line.curve.samples
                let hit = diagram.boxes.filter { box in samples.contains(where: box.frame.contains)
                }
                #expect(hit.map(\.model.name) == [], "\(line.model).\(line.field.name)")
            }
        }
    }

    /// Widths of ten letters in DejaVu Sans, which is as wide as any of the usual fonts: of a head
    /// in bold at 14 pixels, and of a field's name at 13.
    @Test(arguments: [
        ("W", 154.5, 128.6), ("m", 145.9, 126.7), ("Q", 119.0, 102.4), ("a", 94.5, 79.7),
        ("0", 97.5, 82.8), ("t", 67.0, 51.0), ("i", 48.1, 36.2), ("_", 70.0, 65.0),
    ])
    func textFitsItsBox(abbreviation: String, head: Double, name: Double) {
        let text = String(repeating: abbreviation, count: 10)
        let plain = Sample.model(text, fields: [])
        let wide = Sample.model("a", fields: [Sample.field(text)])
        let boxes = Diagram(Sample.definition(models: [plain, wide])).boxes
        let margins = 2.0 * 13
        // The name is followed by a gap and the type TEXT.
        #expect(Double(boxes[0].frame.width) >= head + margins)
        #expect(Double(boxes[1].frame.width) >= name + 20 + 28 + margins)
    }

    @Test func everyRelationLeadsFromItsRowToHeadOfItsModel() throws {
        for (definition, diagram) in try Documents.names.map(Documents.definition).map({
            ($0, Diagram($0))
        }) {
            let boxes = Dictionary(uniqueKeysWithValues: diagram.boxes.map { ($0.model.name, $0) })
            for line in diagram.lines {
                let source = try #require(boxes[line.model])
                let target = try #require(boxes[line.target])
                let row = try #require(source.rows.first { $0.field.name == line.field.name })
                #expect(line.curve.start.y == row.y && source.hasSide(at: line.curve.start.x))
                #expect(line.curve.end.y == target.middleOfHead)
                #expect(target.hasSide(at: line.curve.end.x))
            }
            let relations = definition.models.flatMap(\.fields).filter {
                $0.type.name == .belongsTo
            }
            #expect(diagram.lines.count == relations.count)
        }
    }

    /// Without cycles every arrow points to the right.
    @Test func arrowsPointToTheRight() throws {
        let diagram = Diagram(try Documents.definition("FieldService"))
        for line in diagram.lines {
            #expect(line.curve.start.x < line.curve.end.x, "\(line.model).\(line.field.name)")
        }
    }

    @Test func treesAreDrawnWithoutCrossings() {
        let tree = definition(31, (1..<31).map { ($0, ($0 - 1) / 2) })
        #expect(crossings(in: Diagram(tree)) == 0)
    }

    @Test func thirtyModelsCrossSeldom() throws {
        let crossings = crossings(in: Diagram(try Documents.definition("clinic")))
        #expect(crossings <= 35)
    }

    /// Models linked to a single model are spread over several columns.
    @Test func starIsNoColumn() {
        let diagram = Diagram(definition(41, (1...40).map { ($0, 0) }))
        let ratio = Double(diagram.width) / Double(diagram.height)
        #expect((0.7...3).contains(ratio), "\(diagram.width) × \(diagram.height)")
    }

    @Test func drawingIsDeterministic() throws {
        for (name, definition) in Self.shapes {
            #expect(Diagram(definition) == Diagram(definition), "\(name)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func threeHundredModelsAreDrawnInTime() {
        var numbers = SplitMix64(seed: 1)
        let relations = (0..<450).map { _ in
            (Int.random(in: 0..<300, using: &numbers), Int.random(in: 0..<300, using: &numbers))
        }
        #expect(Diagram(definition(300, relations)).boxes.count == 300)
    }
}

private let gap = 16

extension Box {
    fileprivate func hasSide(at x: Int) -> Bool { x == frame.x || x == frame.maxX }
}

extension Frame {
    /// Strictly inside; lines begin and end on the edge.
    fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
        point.x > Double(x) + 0.5 && point.x < Double(maxX) - 0.5 && point.y > Double(y) + 0.5
            && point.y < Double(maxY) - 0.5
    }
}

extension Curve {
    fileprivate var samples: [(x: Double, y: Double)] {
        var last = start
        var points = [(x: Double(start.x), y: Double(start.y))]
        for piece in pieces {
            let (first, second, end) =
                switch piece {
                case .straight(let end): (last, end, end)
                case .bent(let first, let second, let end): (first, second, end)
                }
            for step in 1...16 {
                let t = Double(step) / 16
                points.append(
                    (
                        bezier(t, last.x, first.x, second.x, end.x),
                        bezier(t, last.y, first.y, second.y, end.y)
                    ))
            }
            last = end
        }
        return points
    }
}

private func bezier(_ t: Double, _ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double {
    let s = 1 - t
    return Double(a) * s * s * s + Double(b) * 3 * s * s * t + Double(c) * 3 * s * t * t
        + Double(d) * t * t * t
}

/// The crossings of lines to different models, as drawn.
private func crossings(in diagram: Diagram) -> Int {
    let lines = diagram.lines.map { (target: $0.target, points: $0.curve.samples) }
    return lines.indices.reduce(0) { sum, index in
        sum
            + lines[..<index].count { other in
                other.target != lines[index].target && cross(other.points, lines[index].points)
            }
    }
}

private func cross(_ one: [(x: Double, y: Double)], _ other: [(x: Double, y: Double)]) -> Bool {
    zip(one, one.dropFirst()).contains { a, b in
        zip(other, other.dropFirst()).contains { c, d in
            side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
        }
    }
}

private func side(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ c: (x: Double, y: Double)
) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
