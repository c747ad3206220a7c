package import DefinitionModel

/// The answer as text: a sentence, and the place of each rule that took part, with a final newline.
/// `excerpt` returns the lines of the document for an attribute of the element at a place, or none
/// if the document is not available.
package func renderAsText(
    _ explanation: Explanation, file: String, style: ReportStyle = .plain,
    excerpt: (SourcePlace, _ attribute: String) -> [String]
) -> String {
    let answer =
        explanation.isAllowed ? style.paint("yes", .green) : style.paint("no", .red)
    var lines = ["\(answer): \(explanation.reason)"]
    for rule in explanation.rules {
        let place = "\(file):\(rule.place.line):\(rule.place.column)"
        lines.append("\(place): note: \(explanation.note(on: rule))")
        lines += excerpt(rule.place, rule.isWritten ? rule.operation.attribute : "name")
    }
    return lines.map { $0 + "\n" }.joined()
}

/// The answer in the documented JSON format.
package func renderAsJSON(_ explanation: Explanation, file: String) -> String {
    let inquiry = explanation.inquiry
    let document: ReportJSON = [
        "format": .number(1),
        "allowed": .flag(explanation.isAllowed),
        "reason": .text(explanation.reason),
        "role": .text(inquiry.role.name),
        "model": .text(inquiry.model),
        "field": ReportJSON(inquiry.field),
        "operation": .text(inquiry.operation.rawValue),
        "owner": .text(inquiry.owner.rawValue),
        "rules": .array(explanation.rules.map { json($0, file: file) }),
    ]
    return document.document
}

private func json(_ rule: DecidingRule, file: String) -> ReportJSON {
    [
        "field": ReportJSON(rule.field),
        "operation": .text(rule.operation.rawValue),
        "level": .text(rule.level.rawValue),
        "written": .flag(rule.isWritten),
        "file": .text(file),
        "line": .number(rule.place.line),
        "column": .number(rule.place.column),
    ]
}

extension Explanation {
    fileprivate func note(on rule: DecidingRule) -> String {
        let subject = rule.field.map { "the field '\($0)'" } ?? "'\(inquiry.model)'"
        return rule.isWritten
            ? "the credential of '\(inquiry.role.name)' for \(subject)"
            : "\(subject) has no credential for '\(inquiry.role.name)'"
    }
}

extension Operation {
    /// The attribute of a credential that grants the operation.
    fileprivate var attribute: String {
        switch self {
        case .create: "createAllowed"
        case .read: "readAllowed"
        case .update: "updateAllowed"
        case .delete: "deleteAllowed"
        case .resolve: "resolveConflictAllowed"
        }
    }
}
