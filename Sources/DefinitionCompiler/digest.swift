import Crypto
import DefinitionModel

/// Names the content as every original client computes it: of what the document writes, not of
/// what its defaults mean, and whatever the order of its parts.
func digest(of contents: Contents) -> String {
    let text = [
        contents.vendor, contents.application, contents.conflictMode.rawValue,
        joined(contents.deviceCategories), joined(contents.groups),
        joined(contents.roles.map { "{\($0.group)$\($0.deviceCategory)}" }),
        joined(contents.models.map(digestText)),
    ].joined(separator: "$")
    return SHA256.hash(data: Array(text.utf8)).map(hexadecimal).joined()
}

private func digestText(_ model: Model) -> String {
    let credentials = model.credentials.map { role, credential in
        text(
            role.name, "=", digit(credential.read), digit(credential.create),
            digit(credential.update), digit(credential.delete),
            credential.resolvesConflicts ? "1" : "0")
    }
    return text(
        model.name, "{", joined(model.fields.map(digestText)), "$", joined(credentials), "}")
}

private func digestText(_ field: Field) -> String {
    let credentials = field.credentials.map { role, credential in
        text(
            role.name, "=", digit(credential.read), digit(credential.create),
            digit(credential.update), "00")
    }
    let options = field.writtenOptions.map { text($0.name, "=", $0.value) }
    return text(
        field.name, "{", field.type.name.rawValue, "$", field.isRequired ? "true" : "false", "$",
        field.writtenDefault ?? "null", "$", joined(credentials), "$", joined(options), "}")
}

/// One text of many, made without any in between.
private func text(_ parts: String...) -> String {
    var text = ""
    text.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count })
    for part in parts { text += part }
    return text
}

private func digit(_ level: AccessLevel) -> String {
    switch level {
    case .none: "0"
    case .own: "1"
    case .group: "2"
    case .all: "3"
    }
}

/// Sorted as plain strings. All parts begin with an ASCII name that no other begins with, so that
/// Java's order of UTF-16 code units and Swift's are the same here.
private func joined(_ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    return parts.sorted().joined(separator: "&")
}

private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
