import DefinitionModel

/// The drawing as a self-contained SVG document for light and dark mode, with a final newline.
package func renderAsSVG(_ diagram: Diagram) -> String {
    let inner = Point(x: Spacing.margin, y: Spacing.margin + headingHeight)
    let width = max(diagram.width, leastWidth(of: diagram)) + 2 * Spacing.margin
    let height = inner.y + diagram.height + footHeight + Spacing.margin
    let lines = diagram.lines.map(path) + arrows(of: diagram)
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
        viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title description">
        <title id="title">\(escapedMarkup(title(of: diagram)))</title>
        <desc id="description">\(escapedMarkup(description(of: diagram)))</desc>
        <style>
        \(diagramStyle)
        </style>
        <rect class="paper" width="\(width)" height="\(height)"/>
        <text class="heading" x="\(inner.x)" y="\(Spacing.margin + 16)">\
        \(escapedMarkup(diagram.application))</text>
        <text class="counts" x="\(inner.x)" y="\(Spacing.margin + 36)">\(counts(of: diagram))</text>
        <g transform="translate(\(inner.x) \(inner.y))">
        <g class="lines">
        \(lines.joined(separator: "\n"))
        </g>
        \(diagram.boxes.map(group).joined(separator: "\n"))
        </g>
        <text class="counts" x="\(inner.x)" y="\(height - Spacing.margin)">\(key)</text>
        </svg>

        """
}

private let headingHeight = 58
private let footHeight = 40
private let key = "* required    → belongs to a record of that model"

private func title(of diagram: Diagram) -> String { "The models of \(diagram.application)" }

private func leastWidth(of diagram: Diagram) -> Int {
    max(
        textWidth(diagram.application, size: 20, isBold: true), textWidth(key, size: 12),
        textWidth(counts(of: diagram), size: 12))
}

private func counts(of diagram: Diagram) -> String {
    "\(count(diagram.boxes.count, "model")), \(count(diagram.lines.count, "relation"))"
}

/// The text for screen readers.
private func description(of diagram: Diagram) -> String {
    let models = diagram.boxes.map { box in
        "\(box.model.name) (\(count(box.model.fields.count, "field")))"
    }
    let relations = diagram.lines.map { "\($0.model).\($0.field.name) to \($0.target)" }
    return "Models: \(list(models)). Relations: \(list(relations))."
}

private func list(_ parts: [String]) -> String {
    parts.isEmpty ? "none" : parts.joined(separator: ", ")
}

private func path(_ line: Diagram.Line) -> String {
    let words = "\(line.model).\(line.field.name) belongs to \(line.target)"
    return """
        <path class="\(cssClass(line.colour))" d="\(path(line.curve))">\
        <title>\(escapedMarkup(words))</title></path>
        """
}

/// The curve as the data of a path in SVG.
func path(_ curve: Curve) -> String {
    let pieces = curve.pieces.map { piece in
        switch piece {
        case .straight(let end): "L\(coordinates(end))"
        case .bent(let first, let second, let end):
            "C\(coordinates(first)) \(coordinates(second)) \(coordinates(end))"
        }
    }
    return "M\(coordinates(curve.start))\(pieces.joined())"
}

private func coordinates(_ point: Point) -> String { "\(point.x) \(point.y)" }

/// One arrow where several lines end.
private func arrows(of diagram: Diagram) -> [String] {
    let leftEdges = Set(diagram.boxes.map { Point(x: $0.frame.x, y: $0.middleOfHead) })
    var drawn: Set<Point> = []
    return diagram.lines.filter { drawn.insert($0.curve.end).inserted }.map { line in
        let tip = line.curve.end
        let back = leftEdges.contains(tip) ? -9 : 9
        return """
            <path class="arrow \(cssClass(line.colour))" \
            d="M\(coordinates(tip))l\(back) -5v10z"/>
            """
    }
}

private func group(_ box: Box) -> String {
    let frame = box.frame
    let name = escapedMarkup(box.model.name)
    let left = frame.x + BoxSize.margin
    let head = BoxSize.headHeight
    return """
        <g class="\(cssClass(box.colour))">\(hint(box.model.description))
        <rect class="box" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" \
        height="\(frame.height)" rx="8"/>
        <path class="head" d="M\(frame.x) \(frame.y + head)v-\(head - 8)q0 -8 8 -8\
        h\(frame.width - 16)q8 0 8 8v\(head - 8)z"/>
        <text class="name" x="\(left)" y="\(box.middleOfHead + 5)">\(name)</text>
        \(box.rows.map { row(of: $0.field, y: $0.y, in: frame) }.joined(separator: "\n"))
        </g>
        """
}

private func row(of field: Field, y: Int, in frame: Frame) -> String {
    let star = field.isRequired ? "<tspan class=\"star\"> *</tspan>" : ""
    let type = field.relation == nil ? "type" : "type relation"
    return """
        <text class="field" x="\(frame.x + BoxSize.margin)" y="\(y + 4)">\
        \(hint(field.description))\(escapedMarkup(field.name))\(star)</text>\
        <text class="\(type)" x="\(frame.maxX - BoxSize.margin)" y="\(y + 4)">\
        \(escapedMarkup(field.drawnType))</text>
        """
}

/// The description, as a tooltip.
private func hint(_ description: String?) -> String {
    description.map { "<title>\(escapedMarkup($0))</title>" } ?? ""
}

private func cssClass(_ colour: Int?) -> String { colour.map { "colour\($0)" } ?? "plain" }
