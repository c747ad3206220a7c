import DefinitionModel
import Hashing

/// Computes the digest as every original client does: over the document as written, without
/// defaults, independent of the order of its parts.
///
/// Each part is sorted as plain strings that include the separator after its name, which decides
/// the order where one name is a prefix of another.
func digest(of contents: DefinitionContents) -> String {
    var text = DigestText(roles: contents.roles)
    text.add(contents.vendor, "$", contents.application, "$", contents.conflictMode.rawValue, "$")
    text.add(contents.deviceCategories.sorted())
    text.add("$")
    text.add(contents.groups.sorted())
    text.add("$")
    text.add(contents.roles.map { "{\($0.group)$\($0.deviceCategory)}" }.sorted())
    text.add("$")
    text.addJoined(contents.models, sortedBy: { $0.name + "{" }, add: { $0.add($1) })
    return text.hash()
}

/// Computes the fingerprint, which includes Waggle's own attributes. It equals the digest if there
/// are none, so that such a definition has one name.
func fingerprint(of contents: DefinitionContents, digest: String) -> String {
    let attributes =
        fingerprintTexts(contents.writtenExtensions, of: [])
        + contents.models.flatMap { model in
            fingerprintTexts(model.writtenExtensions, of: [model.name])
                + model.fields.lazy.filter { !$0.writtenExtensions.isEmpty }.flatMap {
                    fingerprintTexts($0.writtenExtensions, of: [model.name, $0.name])
                }
        }
    guard !attributes.isEmpty else { return digest }
    let text = ([digest] + attributes.sorted()).map { "\($0.utf8.count):\($0)" }.joined()
    return hexadecimal(SHA256.hash(Array(text.utf8)))
}

/// One text for each attribute. A name contains neither `.` nor `=`.
private func fingerprintTexts(_ attributes: [WrittenOption], of path: [String]) -> [String] {
    attributes.map { (path + [$0.name]).joined(separator: ".") + "=" + $0.value }
}

/// The hashed text as bytes, with the order of the roles. It is hashed in chunks, so that it is
/// never in memory as a whole.
private struct DigestText {
    private var bytes: [UInt8] = []
    private var hasher = SHA256()
    private let roles: [Role]
    private let roleWords: [String]

    private static let pieceSize = 1 << 16

    init(roles: [Role]) {
        self.roles = roles.sorted { $0.name + "=" < $1.name + "=" }
        roleWords = self.roles.map { $0.name + "=" }
        bytes.reserveCapacity(2 * Self.pieceSize)
    }

    mutating func hash() -> String {
        hasher.update(bytes)
        return hexadecimal(hasher.finalize())
    }

    mutating func add(_ words: String...) {
        for word in words { bytes += word.utf8 }
    }

    mutating func add(_ words: [String]) {
        addJoined(words, sortedBy: { $0 }, add: { $0.add($1) })
    }

    mutating func addJoined<Part>(
        _ parts: [Part], sortedBy key: (Part) -> String,
        add: (inout DigestText, Part) -> Void
    ) {
        let keys = parts.map(key)
        for (position, index) in parts.indices.sorted(by: { keys[$0] < keys[$1] }).enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: "&")) }
            add(&self, parts[index])
        }
    }

    mutating func add(_ model: Model) {
        add(model.name, "{")
        addJoined(model.fields, sortedBy: { $0.name + "{" }, add: { $0.add($1) })
        add("$")
        add(model.credentials) {
            [$0.read, $0.create, $0.update, $0.delete]
        } ending: {
            $0.resolvesConflicts ? "1" : "0"
        }
        add("}")
        if bytes.count > Self.pieceSize {
            hasher.update(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }

    private mutating func add(_ field: Field) {
        add(field.name, "{", field.type.name.rawValue, "$", field.isRequired ? "true" : "false")
        add("$", field.writtenDefault ?? "null", "$")
        add(field.credentials) {
            [$0.read, $0.create, $0.update]
        } ending: { _ in
            "00"
        }
        add("$")
        addJoined(
            field.writtenOptions, sortedBy: { $0.name + "=" },
            add: { $0.add($1.name, "=", $1.value) })
        add("}")
    }

    private mutating func add<Credential>(
        _ credentials: RoleTable<Credential>, levels: (Credential) -> [AccessLevel],
        ending: (Credential) -> String
    ) {
        var isFirst = true
        for (role, word) in zip(roles, roleWords) {
            guard let credential = credentials[role] else { continue }
            if !isFirst { add("&") }
            isFirst = false
            add(word)
            bytes += levels(credential).map(digit)
            add(ending(credential))
        }
    }
}

private func digit(_ level: AccessLevel) -> UInt8 {
    switch level {
    case .none: UInt8(ascii: "0")
    case .own: UInt8(ascii: "1")
    case .group: UInt8(ascii: "2")
    case .all: UInt8(ascii: "3")
    }
}
