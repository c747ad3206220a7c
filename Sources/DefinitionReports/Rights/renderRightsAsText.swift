import DefinitionModel

/// The matrix for a terminal: a table for each model and a legend, with a final newline. If there
/// are too many roles for the width in columns, a model's table continues below with the other
/// roles.
package func renderAsText(
    _ matrix: RightsMatrix, style: ReportStyle = .plain, width: Int = 100
) -> String {
    let layout = Layout(matrix, style: style, width: width)
    let title = "\(matrix.application) of \(matrix.vendor): \(count(matrix.models.count, "model"))"
    let blocks =
        [[style.paint("\(title), \(count(matrix.roles.count, "role"))", .bold)]]
        + matrix.models.flatMap(layout.tables) + [legend(of: matrix, style: style)]
    return blocks.map { $0.map { $0.trimmingTrailingSpaces() + "\n" }.joined() }
        .joined(separator: "\n")
}

private struct Layout {
    let style: ReportStyle
    let nameWidth: Int
    /// The roles of each table of a model, by index in the matrix.
    let bands: [[Column]]

    struct Column {
        let index: Int
        let role: Role
        let width: Int
    }

    init(_ matrix: RightsMatrix, style: ReportStyle, width: Int) {
        self.style = style
        let names = matrix.models.flatMap { model in
            [model.model.name, recordsLabel] + model.fields.map { indent + $0.field.name }
        }
        nameWidth = (names.map(\.count).max() ?? 0) + gap
        let columns = matrix.roles.enumerated().map { index, role in
            Column(
                index: index, role: role,
                width: max(role.group.count, role.deviceCategory.count, cellsWidth) + gap)
        }
        bands = columns.split(fitting: width - nameWidth)
    }

    /// At least one table, so that a model is listed even if the definition has no roles.
    func tables(of model: ModelRights) -> [[String]] {
        guard !bands.isEmpty else { return [[style.paint(model.model.name, .bold)]] }
        return bands.map { band in
            head(of: model.model.name, band)
                + [row(recordsLabel, band, model.rights)]
                + model.fields.map { row(indent + $0.field.name, band, $0.rights) }
        }
    }

    private func head(of model: String, _ band: [Column]) -> [String] {
        let abbreviations = Operation.allCases.map { $0.abbreviation + " " }.joined()
        return [
            line(style.paint(model.padded(to: nameWidth), .bold), band) { $0.role.group },
            line("".padded(to: nameWidth), band) { $0.role.deviceCategory },
            line("".padded(to: nameWidth), band) { _ in abbreviations },
        ]
    }

    private func line(_ name: String, _ band: [Column], _ text: (Column) -> String) -> String {
        name + band.map { style.paint(text($0).padded(to: $0.width), .faint) }.joined()
    }

    private func row(_ name: String, _ band: [Column], _ rights: [RoleRights]) -> String {
        name.padded(to: nameWidth)
            + band.map { column in
                let rights = rights[column.index].rights
                let padding = "".padded(to: column.width - 2 * rights.count)
                return rights.map(cell).joined() + padding
            }.joined()
    }

    private func cell(_ right: Right) -> String {
        style.paint(right.reach.abbreviation, right.reach.ansiColour)
            + (right.isLimited ? limitMark : " ")
    }
}

private let recordsLabel = "  (records)"
private let indent = "  "
private let gap = 2
private let cellsWidth = 2 * Operation.allCases.count
private let limitMark = "*"

private func legend(of matrix: RightsMatrix, style: ReportStyle) -> [String] {
    let operations = Operation.allCases.map { "\($0.abbreviation) \($0.meaning)" }
    let assignment = matrix.reaches.map { reach in
        style.paint(reach.abbreviation, reach.ansiColour)
            + " \(reach.words.padded(to: 13))\(reach.meaning)"
    }
    return [operations.joined(separator: "   ")] + assignment
        + (matrix.hasLimits ? zip([limitMark, " "], limitMeaning).map { "\($0) \($1)" } : [])
}

extension Reach {
    fileprivate var ansiColour: ANSIColour {
        switch self {
        case .none: .faint
        case .ownInGroup, .own: .yellow
        case .group: .cyan
        case .all: .green
        }
    }
}

extension [Layout.Column] {
    /// Splits the columns into bands that fit the width, with at least one column each.
    fileprivate func split(fitting width: Int) -> [[Layout.Column]] {
        var bands: [[Layout.Column]] = []
        var remaining = 0
        for column in self {
            if column.width > remaining {
                bands.append([])
                remaining = width
            }
            bands[bands.count - 1].append(column)
            remaining -= column.width
        }
        return bands
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
