/// The rules of the published schema of SARIF 2.1.0 for the parts that Waggle uses. As in that
/// schema, an object has no properties but the listed ones.
indirect enum SchemaRule: Sendable {
    case text
    case boolean
    case integer(atLeast: Int)
    case oneOf([String])
    /// With a scheme.
    case uri
    /// A URI or a relative reference.
    case uriReference
    case list(SchemaRule, isUnique: Bool = false)
    case object(SchemaObject)
}

struct SchemaObject: Sendable {
    var required: [String] = []
    let properties: [String: SchemaRule]
}

extension SchemaRule {
    static let log = object(
        required: ["version", "runs"],
        ["$schema": .uri, "version": .oneOf(["2.1.0"]), "runs": .list(run)])

    private static let run = object(
        required: ["tool"],
        [
            "tool": object(required: ["driver"], ["driver": toolComponent]),
            "invocations": .list(invocation),
            "artifacts": .list(artifact, isUnique: true),
            "results": .list(result),
            "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]),
        ])

    private static let toolComponent = object(
        required: ["name"],
        [
            "name": .text, "version": .text, "semanticVersion": .text, "informationUri": .uri,
            "rules": .list(reportingDescriptor, isUnique: true),
        ])

    private static let reportingDescriptor = object(
        required: ["id"],
        [
            "id": .text, "name": .text, "shortDescription": multiformatMessage,
            "fullDescription": multiformatMessage, "help": multiformatMessage, "helpUri": .uri,
            "defaultConfiguration": object(["enabled": .boolean, "level": level]),
        ])

    private static let invocation = object(
        required: ["executionSuccessful"],
        [
            "executionSuccessful": .boolean, "exitCode": .integer(atLeast: .min),
            "toolExecutionNotifications": .list(
                object(
                    required: ["message"],
                    [
                        "message": message, "level": level,
                        "locations": .list(location, isUnique: true),
                    ])),
        ])

    private static let artifact = object([
        "location": artifactLocation, "length": .integer(atLeast: -1), "mimeType": .text,
        "encoding": .text,
        "roles": .list(.oneOf(["analysisTarget", "attachment", "responseFile"]), isUnique: true),
    ])

    private static let result = object(
        required: ["message"],
        [
            "ruleId": .text, "ruleIndex": .integer(atLeast: -1), "level": level,
            "message": message, "locations": .list(location),
            "relatedLocations": .list(location, isUnique: true),
        ])

    private static let location = object([
        "id": .integer(atLeast: -1), "message": message,
        "physicalLocation": object(
            required: ["artifactLocation"],
            [
                "artifactLocation": artifactLocation,
                "region": object([
                    "startLine": .integer(atLeast: 1), "startColumn": .integer(atLeast: 1),
                    "endLine": .integer(atLeast: 1), "endColumn": .integer(atLeast: 1),
                ]),
            ]),
    ])

    private static let artifactLocation = object([
        "uri": .uriReference, "uriBaseId": .text, "index": .integer(atLeast: -1),
        "description": message,
    ])

    private static let level = SchemaRule.oneOf(["none", "note", "warning", "error"])
    private static let message = object(required: ["text"], ["text": .text, "markdown": .text])
    private static let multiformatMessage = message

    private static func object(
        required: [String] = [], _ properties: [String: SchemaRule]
    ) -> SchemaRule {
        .object(SchemaObject(required: required, properties: properties))
    }
}

extension SchemaRule {
    /// The violations in a JSON value, each as a path and a message.
    func violations(in value: JSONNode, at path: String = "log") -> [String] {
        switch (self, value) {
        case (.text, .text): []
        case (.boolean, .boolean): []
        case (.integer(let least), .integer(let number)):
            number >= least ? [] : ["\(path): \(number) is less than \(least)"]
        case (.oneOf(let values), .text(let text)):
            values.contains(text) ? [] : ["\(path): '\(text)' is none of \(values)"]
        case (.uri, .text(let text)):
            isURI(text) ? [] : ["\(path): '\(text)' is no URI"]
        case (.uriReference, .text(let text)):
            isURI(text) || isRelativeReference(text)
                ? [] : ["\(path): '\(text)' is no reference to a URI"]
        case (.list(let rule, let isUnique), .list(let items)):
            items.enumerated().flatMap { rule.violations(in: $1, at: "\(path)[\($0)]") }
                + (isUnique && Set(items).count < items.count ? ["\(path): not unique"] : [])
        case (.object(let schema), .object(let properties)):
            schema.violations(in: properties, at: path)
        case (.text, _), (.boolean, _), (.integer, _), (.oneOf, _), (.uri, _), (.uriReference, _),
            (.list, _), (.object, _):
            ["\(path): is of another type"]
        }
    }
}

extension SchemaObject {
    fileprivate func violations(in found: [String: JSONNode], at path: String) -> [String] {
        let missing = required.filter { found[$0] == nil }.map { "\(path): has no '\($0)'" }
        return missing
            + found.sorted { $0.key < $1.key }.flatMap { name, value in
                properties[name].map { $0.violations(in: value, at: "\(path).\(name)") }
                    ?? ["\(path): cannot have '\(name)'"]
            }
    }
}

/// RFC 3986: a scheme, unreserved and reserved characters, and percent escapes.
private func isURI(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:(.+)/).map { isEscaped($0.output.1) } ?? false
}

/// The same without a scheme; no ':' in the first segment.
private func isRelativeReference(_ text: String) -> Bool {
    isEscaped(text[...]) && !text.prefix { $0 != "/" }.contains(":")
}

private func isEscaped(_ text: Substring) -> Bool {
    let form = /([A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+/
    return text.wholeMatch(of: form) != nil
}
