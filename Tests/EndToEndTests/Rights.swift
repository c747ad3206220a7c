import Foundation

/// The rights of a definition: a second, simple, line-based parser to compare the product with. It
/// depends on the layout of the examples.
struct Rights: Sendable {
    struct Option: Hashable, Sendable {
        let name: String
        let value: String
        /// From 1.
        let line: Int
    }

    struct Field: Sendable {
        let name: String
        let type: String
        let isRequired: Bool
        let defaultText: String?
        let line: Int
        var options: [Option] = []
        /// By role, then by attribute such as `createAllowed`.
        var levels: [String: [String: String]] = [:]

        func option(_ name: String) -> String? { options.first { $0.name == name }?.value }
    }

    struct Model: Sendable {
        let name: String
        var fields: [Field] = []
        var levels: [String: [String: String]] = [:]
    }

    private(set) var models: [Model] = []

    init(_ document: String) throws {
        var isInField = false
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            let attributes = attributes(of: line)
            if line.contains("<model ") {
                models.append(Model(name: attributes["name"] ?? ""))
            } else if line.contains("<field ") {
                isInField = true
                models[models.count - 1].fields.append(Field(attributes, line: number))
            } else if line.contains("</fields>") {
                isInField = false
            } else if line.contains("<option ") {
                let text = line.firstMatch(of: />([^<]*)</)?.1
                let option = Option(
                    name: attributes["name"] ?? "", value: text.map(String.init) ?? "",
                    line: number)
                models[models.count - 1].fields[lastField].options.append(option)
            } else if line.contains("<credential "), let role = attributes["role"] {
                if isInField {
                    models[models.count - 1].fields[lastField].levels[role] = attributes
                } else {
                    models[models.count - 1].levels[role] = attributes
                }
            }
        }
    }

    private var lastField: Int { models[models.count - 1].fields.count - 1 }

    func model(_ name: String) -> Model? { models.first { $0.name == name } }
}

extension Rights.Field {
    fileprivate init(_ attributes: [String: String], line: Int) {
        name = attributes["name"] ?? ""
        type = attributes["type"] ?? ""
        isRequired = attributes["required"] == "true"
        defaultText = attributes["defaultValue"]
        self.line = line
    }
}

private func attributes(of line: Substring) -> [String: String] {
    let pairs = line.matches(of: /(\w+)="([^"]*)"/).map { (String($0.1), String($0.2)) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}

// MARK: - The rules of the language

extension Rights {
    enum Operation: String {
        case create, read, update
    }

    /// Whether a user may do this to a record that `owner` of `group` created.
    func allow(
        _ operation: Operation, _ seat: Seat, on model: Model, owner: String, group: String
    ) -> Bool {
        reaches(model.levels[seat.role], operation, seat, owner, group)
    }

    /// Whether a user may also do it to a field of the record.
    func allow(
        _ operation: Operation, _ seat: Seat, on field: Field, of model: Model, owner: String,
        group: String
    ) -> Bool {
        allow(operation, seat, on: model, owner: owner, group: group)
            && reaches(field.levels[seat.role], operation, seat, owner, group)
    }

    private func reaches(
        _ levels: [String: String]?, _ operation: Operation, _ seat: Seat, _ owner: String,
        _ group: String
    ) -> Bool {
        let level = levels?["\(operation.rawValue)Allowed"]
        return level == "ALL" || (level == "OWN" && seat.login == owner)
            || (level == "GROUP" && seat.group == group)
    }
}
