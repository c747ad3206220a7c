package import DefinitionModel

/// The models of a definition and their relations as a drawing, with the place of everything. The
/// same definition always gives the same one.
package struct Diagram: Hashable, Sendable {
    package let application: String
    /// In the order of the models. No two overlap.
    package let boxes: [Box]
    /// One for each relation. It runs through no box.
    package let lines: [Line]
    package let width: Int
    package let height: Int

    /// A relation: from the row of its field to the head of the model that it belongs to.
    package struct Line: Hashable, Sendable {
        package let model: String
        package let field: Field
        package let target: String
        package let curve: Curve
        /// That of the target.
        package let colour: Int?
    }

    package init(_ definition: Definition) {
        let models = definition.models
        let graph = Graph(models)
        let plan = Plan(graph)
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

/// By name, of each model that something belongs to; neighbours in the definition have different
/// ones.
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
