import DefinitionModel
import Testing

/// A definition as in `packet<box: label<tag TEXT, mass DECIMAL!`: one model per line, with earlier
/// names after `<`. `!` marks a required field, `^` a unique one, `?` one that nobody may read,
/// `#5` the greatest number, `=7` a default, `BELONGS_TO@box` a relation to another model than the
/// first one.
func version(_ text: String) throws -> Definition {
    let models = try text.split(separator: "\n").map { line in
        let parts = line.split(separator: ":")
        let (name, earlier) = names(parts[0])
        return Model(
            name: name, renamedFrom: earlier,
            fields: try parts.dropFirst().joined().split(separator: ",").map {
                try field($0, in: text)
            },
            credentials: [
                role: ModelCredential(
                    create: .all, read: .all, update: .all, delete: .all,
                    resolvesConflicts: true, place: place)
            ], place: place)
    }
    return Definition(
        application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
        groups: ["users"], roles: [role], models: models, digest: text)
}

let role = Role(group: "users", deviceCategory: "mobile")

private func field(_ text: Substring, in definition: String) throws -> Field {
    let parts = text.split(separator: "=")
    let words = parts[0].split(separator: " ")
    let limit = parts[0].split(separator: "#").dropFirst().first.flatMap { Int64($0) }
    let word = String(try #require(words.last).prefix { $0.isLetter || $0 == "_" })
    let target =
        text.split(separator: "@").dropFirst().first?.prefix { $0.isLetter || $0.isNumber }
        ?? definition.prefix { $0 != "<" && $0 != ":" }
    let type: FieldType =
        switch try #require(FieldTypeName(rawValue: word)) {
        case .text: .text(TextLimits())
        case .integer: .integer(IntegerLimits(maxValue: limit ?? .max))
        case .decimal: .decimal(DecimalLimits(maxValue: limit.map { DecimalNumber($0) }))
        case .boolean: .boolean
        case .date: .date(DateLimits())
        case .belongsTo: .belongsTo(Relation(model: String(target)))
        case .file: .file
        }
    let (name, earlier) = names(words.dropLast().joined(separator: " ")[...])
    return Field(
        name: name, renamedFrom: earlier, type: type, isRequired: text.contains("!"),
        isUnique: text.contains("^"),
        defaultValue: parts.count == 1 ? nil : FieldValue(text: String(parts[1]), of: type.name),
        credentials: [
            role: FieldCredential(
                create: .all, read: text.contains("?") ? .none : .all, update: .all, place: place)
        ], writtenOptions: [], writtenDefault: nil, place: place)
}

private func names(_ text: Substring) -> (name: String, earlier: [String]) {
    let parts = text.split(separator: "<")
    return (
        parts[0].trimmingPrefix(" ").description,
        parts.count == 1 ? [] : parts[1].split(separator: " ").map(String.init)
    )
}

let place = SourcePlace(line: 1, column: 1)
