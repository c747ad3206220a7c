package import DefinitionModel

/// A model in the drawing: a head with its name above a row for each field.
package struct Box: Hashable, Sendable {
    package let model: Model
    package let frame: Frame
    /// The index of the model's colour, shared by the relations to it. Nil if no model refers to
    /// it.
    package let colour: Int?

    /// The fields in order, each with the vertical middle of its row.
    package var rows: [(field: Field, y: Int)] {
        model.fields.enumerated().map { index, field in
            (field: field, y: frame.y + BoxSize.middle(ofRow: index))
        }
    }

    package var middleOfHead: Int { frame.y + BoxSize.middleOfHead }

    func moved(by offset: Point) -> Box {
        Box(model: model, frame: frame.moved(by: offset), colour: colour)
    }
}

/// The size of a box.
struct BoxSize: Hashable {
    let width: Int
    let height: Int
    /// Reserved on the right for relations of the model to itself.
    let loopWidth: Int

    static let headHeight = 32
    static let rowHeight = 23
    static let headFont = 14.0
    static let nameFont = 13.0
    static let typeFont = 11.0
    static let margin = 13
    private static let bottom = 7
    /// Between a field's name and its type.
    private static let gap = 22

    static let middleOfHead = headHeight / 2

    static func middle(ofRow index: Int) -> Int {
        headHeight + bottom / 2 + rowHeight * index + rowHeight / 2
    }

    init(_ model: Model) {
        let head = textWidth(model.name, size: Self.headFont, isBold: true)
        let rows = model.fields.map { field in
            textWidth(field.drawnName, size: Self.nameFont) + Self.gap
                + textWidth(field.drawnType, size: Self.typeFont)
        }
        width = ([head] + rows).reduce(0, max) + 2 * Self.margin
        height = Self.headHeight + Self.rowHeight * model.fields.count + Self.bottom
        let loops = model.fields.count { $0.belongs(to: model) }
        loopWidth = loops == 0 ? 0 : Self.width(ofLoop: loops - 1)
    }

    /// The horizontal extent of the first, second … loop of a box.
    static func width(ofLoop index: Int) -> Int { 40 + 12 * index }
}

extension Field {
    func belongs(to model: Model) -> Bool { relation?.model == model.name }

    var relation: Relation? {
        switch type {
        case .belongsTo(let relation): relation
        case .text, .integer, .decimal, .boolean, .date, .file: nil
        }
    }

    /// With a star if the field is required.
    var drawnName: String { isRequired ? "\(name) *" : name }

    /// For a relation, the name of the target model.
    var drawnType: String {
        relation.map { "→ \($0.model)" } ?? type.name.rawValue
    }
}
