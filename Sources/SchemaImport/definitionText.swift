import DefinitionModel

/// Writes a draft as an `application.xml`, with one group, one device category and their role.
///
/// Relations to models that the draft does not have are left out, with a note in the text.
package func definitionText(
    of draft: DefinitionDraft, application: String, vendor: String
) -> String {
    let names = Set(draft.models.map(\.name))
    var lines = [
        #"<?xml version="1.0" encoding="UTF-8"?>"#,
        #"<application xmlns="http://schema.mobeelizer.com/application""#,
        #"             xmlns:w="urn:waggle:definition""#,
        "             application=\"\(xml(application))\" vendor=\"\(xml(vendor))\"",
        #"             conflictMode="MANUAL" w:conflictMode="MERGE">"#,
        #"  <devices><device name="mobile"/></devices>"#,
        #"  <groups><group name="users"/></groups>"#,
        #"  <roles><role group="users" device="mobile"/></roles>"#, "  <models>",
    ]
    for model in draft.models { lines += text(of: model, among: names) }
    lines += ["  </models>", "</application>", ""]
    return lines.joined(separator: "\n")
}

private func text(of model: DraftModel, among names: Set<String>) -> [String] {
    let alias = model.alias.map { " w:alias=\"\(xml($0))\"" } ?? ""
    let joins = model.joins.map { " w:joins=\"\(xml($0))\"" } ?? ""
    // Records that nobody updates have no conflicts that somebody must resolve.
    let mode = model.update == .none ? " w:conflictMode=\"OVERWRITE\"" : ""
    var lines = ["    <model name=\"\(model.name)\"\(alias)\(joins)\(mode)>", "      <fields>"]
    for field in model.fields {
        if field.type == .belongsTo, !names.contains(field.options["model"] ?? "") {
            lines.append(
                "        <!-- '\(comment(field.name))' refers to a class that is not here -->")
            continue
        }
        lines += text(of: field, in: model)
    }
    return lines + [
        "      </fields>", "      <credentials>",
        "        <credential role=\"users-mobile\" createAllowed=\"\(model.create.rawValue)\" "
            + "readAllowed=\"\(model.read.rawValue)\"",
        "                    updateAllowed=\"\(model.update.rawValue)\" "
            + "deleteAllowed=\"\(model.delete.rawValue)\" "
            + "resolveConflictAllowed=\"\(model.update != .none)\"/>",
        "      </credentials>", "    </model>",
    ]
}

private func text(of field: DraftField, in model: DraftModel) -> [String] {
    var attributes = "name=\"\(field.name)\" type=\"\(field.type.rawValue)\""
    if let alias = field.alias { attributes += " w:alias=\"\(xml(alias))\"" }
    if field.isRequired { attributes += " required=\"true\"" }
    if let value = field.defaultValue { attributes += " defaultValue=\"\(xml(value))\"" }
    for (name, value) in field.ownAttributes.sorted(by: { $0.key < $1.key }) {
        attributes += " w:\(name)=\"\(xml(value))\""
    }
    let options = field.options.sorted { $0.key < $1.key }.map { name, value in
        "            <option name=\"\(name)\">\(xml(value))</option>"
    }
    let wrapped =
        options.isEmpty ? [] : ["          <options>"] + options + ["          </options>"]
    return [
        "        <field \(attributes)>", "          <credentials>",
        "            <credential role=\"users-mobile\" "
            + "createAllowed=\"\(level(.all, under: model.create))\" "
            + "readAllowed=\"\(level(field.read, under: model.read))\"",
        "                        updateAllowed=\"\(level(.all, under: model.update))\"/>",
        "          </credentials>",
    ] + wrapped + ["        </field>"]
}

/// A right to a field has no effect without the right to the record.
private func level(_ field: AccessLevel, under model: AccessLevel) -> String {
    (model == .none ? .none : field).rawValue
}

/// By scalars: a quote and a combining mark after it are one character. Without the references, a
/// parser makes a space of each white space in an attribute.
private func xml(_ text: String) -> String {
    let references: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
    ]
    return text.unicodeScalars.map { references[$0] ?? String($0) }.joined()
}

/// Two hyphens end a comment.
private func comment(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { comment, scalar in
        if scalar == "-", comment.unicodeScalars.last == "-" { comment += " " }
        comment.unicodeScalars.append(scalar)
    }
}
