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

/// Names the content with our own attributes, which the digest does not know: the digest itself
/// where there are none, so that such a definition has one name.
func fingerprint(of contents: Contents, digest: String) -> String {
    let attributes =
        fingerprintText(contents.writtenExtensions, of: [])
        + contents.models.sorted { $0.name < $1.name }.flatMap { model in
            fingerprintText(model.writtenExtensions, of: [model.name])
                + model.fields.sorted { $0.name < $1.name }.flatMap { field in
                    fingerprintText(field.writtenExtensions, of: [model.name, field.name])
                }
        }
    guard !attributes.isEmpty else { return digest }
    let text = ([digest] + attributes).map { "\($0.utf8.count):\($0)" }.joined()
    return SHA256.hash(data: Array(text.utf8)).map(hexadecimal).joined()
}

/// An attribute each, by name. A name has no `.` and no `=`.
private func fingerprintText(_ attributes: [WrittenOption], of path: [String]) -> [String] {
    attributes.sorted { $0.name < $1.name }.map {
        (path + [$0.name]).joined(separator: ".") + "=" + $0.value
    }
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
