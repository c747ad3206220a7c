package import DefinitionModel

/// The laid-out drawing of a definition's models and relations. The same definition always gives
/// the same drawing.
package struct Diagram: Hashable, Sendable {
    package let application: String
    /// In the order of the models. Boxes do not overlap.
    package let boxes: [Box]
    /// One line for each relation. A line crosses no box.
    package let lines: [Line]
    package let width: Int
    package let height: Int

    /// A relation, drawn from its field's row to the head of the target model.
    package struct Line: Hashable, Sendable {
        package let model: String
        package let field: Field
        package let target: String
        package let curve: Curve
        /// The colour of the target.
        package let colour: Int?
    }

    package init(_ definition: Definition) {
        let models = definition.models
        let graph = Graph(models)
        let plan = DiagramLayout(graph)
        let colours = colours(of: models)
        application = definition.application
        boxes = zip(models, plan.frames).map { model, frame in
            Box(model: model, frame: frame, colour: colours[model.name])
        }
        let lines = zip(graph.links, plan.curves).map { link, curve in
            let model = models[link.source]
            let target = models[link.target].name
            return Line(
                model: model.name, field: model.fields[link.row], target: target, curve: curve,
                colour: colours[target])
        }
        self.lines = lines + boxes.flatMap(\.loops)
        width = plan.width
        height = plan.height
    }
}

/// A colour for the name of each model that a relation refers to. Such models that are neighbours
/// in the definition have different colours.
private func colours(of models: [Model]) -> [String: Int] {
    let targets = Set(models.flatMap(\.fields).compactMap { $0.relation?.model })
    let named = models.map(\.name).filter(targets.contains)
    return Dictionary(
        named.enumerated().map { ($1, $0 % Diagram.colourCount) },
        uniquingKeysWith: { first, _ in first })
}

extension Diagram {
    static let colourCount = 8
}

extension Box {
    /// The relations of the model to itself.
    fileprivate var loops: [Diagram.Line] {
        rows.filter { $0.field.belongs(to: model) }.enumerated().map { index, row in
            var curve = Curve(from: Point(x: frame.maxX, y: row.y))
            curve.loop(
                by: frame.maxX + BoxSize.width(ofLoop: index),
                to: Point(x: frame.maxX, y: middleOfHead))
            return Diagram.Line(
                model: model.name, field: row.field, target: model.name, curve: curve,
                colour: colour)
        }
    }
}
