import DefinitionCompiler
import DefinitionEditing

let ownNamespace = "urn:waggle:definition"

func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

/// A place that names a model, group or device category, or a role.
enum NamingPlace {
    case text(DocumentElement)
    case attribute(DocumentAttribute)
}

extension WrittenDocument {
    /// All elements with their paths, parents before children.
    var all: [(path: ElementPath, element: DocumentElement)] {
        elements(from: root, at: ElementPath([]))
    }

    private func elements(
        from element: DocumentElement, at path: ElementPath
    ) -> [(path: ElementPath, element: DocumentElement)] {
        [(path, element)]
            + element.children.flatMap { child in
                let isRole = child.name == "role"
                let names = isRole ? ["group", "device"] : ["name", "role"]
                let keys = names.compactMap { name in
                    child.written(name).map { ElementPath.Key(name, $0.value) }
                }
                let step = ElementPath.Step(child.name, keys)
                return elements(from: child, at: ElementPath(path.steps + [step]))
            }
    }

    private var roleElements: [DocumentElement] {
        root.children.filter { $0.name == "roles" }.flatMap(\.children)
            .filter { $0.name == "role" }
    }

    /// The names of the roles.
    var roles: [String] { roleElements.map(\.roleName) }

    func role(_ name: String) -> DocumentElement? { roleElements.first { $0.roleName == name } }

    /// The credentials of a role, each with the path of the model or field that has it.
    func credentials(
        of role: String
    ) -> [(owner: ElementPath, credential: DocumentElement)] {
        all.filter { $0.element.name == "credential" && $0.element.written("role")?.value == role }
            .map { (ElementPath(Array($0.path.steps.dropLast(2))), $0.element) }
    }

    /// The places that name something: relations a model; roles a group or device category, and
    /// credentials a role with it.
    func references(to name: String, as kind: String) -> [NamingPlace] {
        if kind == "model" {
            return all.map(\.element).filter {
                $0.name == "option" && $0.written("name")?.value == "model" && $0.text == name
            }.map { NamingPlace.text($0) }
        }
        let named = roleElements.filter { $0.written(kind)?.value == name }
        let attributes = named.flatMap { role -> [DocumentAttribute?] in
            let credentials = credentials(of: role.roleName)
            return [role.written(kind)] + credentials.map { $0.credential.written("role") }
        }
        return attributes.compactMap { $0.map { NamingPlace.attribute($0) } }
    }

    /// The stretches of text between comments, without the white space round them.
    func texts(from start: Int, to end: Int) -> [Range<Int>] {
        var (texts, place) = ([Range<Int>](), start)
        while place < end {
            let rest = bytes[place..<end]
            let comment = rest.firstRange(of: Array("<!--".utf8))?.lowerBound ?? end
            let text = bytes[place..<comment]
            if let first = text.firstIndex(where: { !isBlank($0) }),
                let last = text.lastIndex(where: { !isBlank($0) })
            {
                texts.append(first..<last + 1)
            }
            place = bytes[comment..<end].firstRange(of: Array("-->".utf8))?.upperBound ?? end
        }
        return texts
    }

    /// The range or, if nothing else is on its lines, these lines with the end of the last one.
    func lines(of range: Range<Int>) -> Range<Int> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start =
            range.lowerBound - bytes[..<range.lowerBound].reversed().prefix(while: isSpace).count
        let end = range.upperBound + bytes[range.upperBound...].prefix(while: isSpace).count
        let isAtStart = start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
        let rest = bytes[end...]
        guard isAtStart, let next = rest.first, next == 0x0A || next == 0x0D else { return range }
        return start..<end + (rest.starts(with: [0x0D, 0x0A]) ? 2 : 1)
    }
}

extension DocumentElement {
    /// The first element at a path from this one.
    func descendant(at path: ElementPath) -> DocumentElement? {
        path.steps.reduce(self) { element, step in
            element?.children.first { child in
                child.name == step.name
                    && step.keys.allSatisfy { child.written($0.name)?.value == $0.value }
            }
        }
    }

    /// The attribute of that name; `w:` begins the names of Waggle's own.
    func written(_ name: String) -> DocumentAttribute? {
        let plain = name.hasPrefix("w:") ? String(name.dropFirst(2)) : name
        return attributes.first { $0.name == plain && $0.isOwn == name.hasPrefix("w:") }
    }

    var endOfAttributes: Int { attributes.map(\.range.upperBound).max() ?? nameRange.upperBound }

    var roleName: String {
        ["group", "device"].map { written($0)?.value ?? "" }.joined(separator: "-")
    }
}
