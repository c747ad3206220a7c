import DefinitionModel

/// The drawing as geometry in JSON, for programs that draw it: boxes with their rows, and lines as
/// paths of SVG. Lengths are pixels from the upper left corner.
package func renderAsJSON(_ diagram: Diagram) -> String {
    let document: ReportJSON = [
        "width": .number(diagram.width), "height": .number(diagram.height),
        "boxes": .array(diagram.boxes.map(json)), "lines": .array(diagram.lines.map(json)),
    ]
    return document.document
}

private func json(_ box: Box) -> ReportJSON {
    [
        "model": .text(box.model.name), "x": .number(box.frame.x), "y": .number(box.frame.y),
        "width": .number(box.frame.width), "height": .number(box.frame.height),
        "headHeight": .number(BoxSize.headHeight),
        "rows": .array(
            box.rows.map { row in
                [
                    "field": .text(row.field.name), "label": .text(row.field.drawnName),
                    "type": .text(row.field.drawnType), "y": .number(row.y),
                ]
            }),
    ]
}

private func json(_ line: Diagram.Line) -> ReportJSON {
    [
        "model": .text(line.model), "field": .text(line.field.name), "target": .text(line.target),
        "path": .text(path(line.curve)), "endX": .number(line.curve.end.x),
        "endY": .number(line.curve.end.y),
    ]
}
