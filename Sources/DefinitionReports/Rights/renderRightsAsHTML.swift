import DefinitionModel

/// The matrix as a self-contained HTML page: no network, no fonts, and a script for the search
/// only. It supports light and dark mode, print and narrow windows. It is well-formed XML and ends
/// with a newline.
package func renderAsHTML(_ matrix: RightsMatrix) -> String {
    let title = "Rights of \(escapedMarkup(matrix.application))"
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="generator" content="waggle rights"/>
        <title>\(title)</title>
        <style>
        \(rightsStyle)\(hidingStyle(of: matrix))
        </style>
        </head>
        <body>
        \(head(of: matrix, title: title))
        \(legend(of: matrix))
        \(filters(of: matrix))
        \(table(of: matrix))
        <p class="nothing" hidden="hidden">No model or field is called so.</p>
        <script>
        \(rightsScript)
        </script>
        </body>
        </html>

        """
}

private func head(of matrix: RightsMatrix, title: String) -> String {
    let counts = [
        count(matrix.models.count, "model"),
        count(matrix.models.reduce(0) { $0 + $1.fields.count }, "field"),
        count(matrix.roles.count, "role"),
    ]
    return """
        <header>
        <h1>\(title)</h1>
        <p>\(counts.joined(separator: ", ")) of the application \
        <b>\(escapedMarkup(matrix.application))</b> by <b>\(escapedMarkup(matrix.vendor))</b>. \
        Whatever is not granted is denied.</p>
        <p class="digest"><span>digest</span> <code>\(escapedMarkup(matrix.digest))</code></p>
        </header>
        """
}

private func legend(of matrix: RightsMatrix) -> String {
    let reaches = matrix.reaches.map { reach in
        "<div><dt>\(swatch(reach))\(reach.words)</dt><dd>\(reach.meaning)</dd></div>"
    }
    let limit = """
        <div><dt><span class="swatch limited all">A</span>with a corner</dt>\
        <dd>\(limitMeaning.joined(separator: " "))</dd></div>
        """
    let operations = Operation.allCases.map { operation in
        "<div><dt><span class=\"key\">\(operation.abbreviation)</span>"
            + "\(operation.meaning)</dt></div>"
    }
    return """
        <section class="legend" aria-label="Legend">
        <dl class="levels">
        \((reaches + (matrix.hasLimits ? [limit] : [])).joined(separator: "\n"))
        </dl>
        <dl class="operations">
        \(operations.joined(separator: "\n"))
        </dl>
        </section>
        """
}

private func swatch(_ reach: Reach) -> String {
    "<span class=\"swatch \(reach.cssClass)\">\(reach.abbreviation)</span>"
}

/// Works by style sheet alone. The search field is shown by its script.
private func filters(of matrix: RightsMatrix) -> String {
    let roles = matrix.roles.enumerated().map { index, role in
        """
        <label><input type="checkbox" id="role\(index)" checked="checked"/>\
        <span>\(escapedMarkup(role.name))</span></label>
        """
    }
    return """
        <form class="filters" aria-label="What to show">
        <fieldset><legend>Roles</legend>
        \(roles.joined(separator: "\n"))
        </fieldset>
        <label class="search" hidden="hidden">Models and fields \
        <input type="search" placeholder="part of a name" autocomplete="off"/></label>
        </form>
        """
}

private func hidingStyle(of matrix: RightsMatrix) -> String {
    matrix.roles.indices.map { index in
        "\nbody:has(#role\(index):not(:checked)) .role\(index) { display: none; }"
    }.joined()
}

private func table(of matrix: RightsMatrix) -> String {
    let groups = matrix.roles.enumerated().map { index, role in
        """
        <th scope="colgroup" colspan="\(Operation.allCases.count)" class="first role\(index)">\
        \(escapedMarkup(role.group)) <small>\(escapedMarkup(role.deviceCategory))</small></th>
        """
    }
    let abbreviations = matrix.roles.indices.flatMap { index in
        Operation.allCases.map { operation in
            """
            <th scope="col" class="\(cssClass(of: operation, role: index))">\
            <abbr title="\(operation.meaning)">\(operation.abbreviation)</abbr></th>
            """
        }
    }
    return """
        <div class="matrix" role="region" aria-label="The matrix" tabindex="0">
        <table>
        <thead>
        <tr><th scope="col" rowspan="2" class="name">Model and field</th>\(groups.joined())</tr>
        <tr>\(abbreviations.joined())</tr>
        </thead>
        \(matrix.models.map(body).joined(separator: "\n"))
        </table>
        </div>
        """
}

private func body(of model: ModelRights) -> String {
    let name = escapedMarkup(model.model.name)
    let head = """
        <tr class="model"><th scope="rowgroup" class="name"\(hint(model.model.description))>\
        \(name)</th>\
        \(cells(model.rights, of: model.model.name))</tr>
        """
    let fields = model.fields.map { field in
        """
        <tr><th scope="row" class="name"\(hint(field.field.description))>\
        \(escapedMarkup(field.field.name)) \
        <small>\(field.field.type.name.rawValue)\(field.field.isRequired ? ", required" : "")\
        </small></th>\(cells(field.rights, of: "\(model.model.name).\(field.field.name)"))</tr>
        """
    }
    return """
        <tbody data-name="\(name)">
        \(([head] + fields).joined(separator: "\n"))
        </tbody>
        """
}

/// The description, as a tooltip.
private func hint(_ description: String?) -> String {
    description.map { " title=\"\(escapedMarkup($0))\"" } ?? ""
}

private func cells(_ rights: [RoleRights], of subject: String) -> String {
    rights.enumerated().map { index, rights in
        let missing = Operation.allCases.count - rights.rights.count
        let rest =
            missing > 0 ? "<td class=\"role\(index)\" colspan=\"\(missing)\"></td>" : ""
        return rights.rights.map { cell($0, of: subject, rights, index) }.joined() + rest
    }.joined()
}

/// The cell contains the whole word for screen readers and copying; the style sheet shows its
/// abbreviation.
private func cell(
    _ right: Right, of subject: String, _ rights: RoleRights, _ index: Int
) -> String {
    let word = right.reach.words
    let line = rights.place.map { ", line \($0.line)" } ?? ", no credential"
    let limit = right.isLimited ? ", where the rule says \(right.written.rawValue)" : ""
    let title =
        "\(rights.role.name): \(right.operation.rawValue) \(subject): \(word)\(limit)\(line)"
    let abbreviation = right.reach == .none ? "" : right.reach.abbreviation
    return """
        <td class="\(cssClass(of: right.operation, role: index))" title="\(escapedMarkup(title))">\
        <b class="\(right.reach.cssClass)\(right.isLimited ? " limited" : "")">\
        \(abbreviation)<i>\(word.dropFirst(abbreviation.count))</i></b></td>
        """
}

private func cssClass(of operation: Operation, role index: Int) -> String {
    (operation == Operation.allCases.first ? "first " : "") + "role\(index)"
}

extension Reach {
    fileprivate var cssClass: String {
        switch self {
        case .none: "none"
        case .ownInGroup: "own-in-group"
        case .own: "own"
        case .group: "group"
        case .all: "all"
        }
    }
}
