import DefinitionCompiler
import DefinitionEditing
import TestKit
import Testing

/// A random edit, and what it may do to the bytes of a document.
struct ExpectedEdit {
    /// A stretch of the document and the bytes that take its place; nil for any text.
    private struct Replacement {
        let range: Range<Int>
        var bytes: [UInt8]?
    }

    let edit: DefinitionEdit
    private var replacements: [Replacement] = []
    /// The contents of the element in which something is inserted in one place.
    private var insertion: Range<Int>?
    private let document: WrittenDocument

    init(
        number: Int, in document: WrittenDocument, using random: inout SplitMix64
    ) throws {
        self.document = document
        let kinds: [Kind] = [
            Self.added, Self.setting, Self.writing, Self.removal, Self.movement, Self.renaming,
            Self.copying, Self.roleRemoval,
        ]
        // A document may have nothing for an edit of some kind.
        var chosen: DefinitionEdit?
        while chosen == nil {
            let kind = kinds.randomElement(using: &random)
            chosen = kind?(document, number, &random)
        }
        edit = try #require(chosen)
        try expect()
    }

    /// Whether a text has these changes and no others.
    func allows(_ new: [UInt8], instead old: [UInt8]) -> Bool {
        guard insertion == nil else { return isInserted(in: new, instead: old) }
        var (fixed, place) = ([[UInt8]()], 0)
        for each in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            fixed[fixed.count - 1] += old[place..<each.range.lowerBound]
            if let bytes = each.bytes { fixed[fixed.count - 1] += bytes } else { fixed.append([]) }
            place = each.range.upperBound
        }
        fixed[fixed.count - 1] += old[place...]
        guard fixed.count > 1 else { return new == fixed[0] }
        guard new.starts(with: fixed[0]) else { return false }
        var rest = new.dropFirst(fixed[0].count)
        for stretch in fixed.dropFirst().dropLast() where !stretch.isEmpty {
            guard let found = rest.firstRange(of: stretch) else { return false }
            rest = rest[found.upperBound...]
        }
        let last = fixed[fixed.count - 1]
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    private func isInserted(in new: [UInt8], instead old: [UInt8]) -> Bool {
        guard let insertion, new.count >= old.count else { return false }
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = old.count - zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        return end <= start && end <= insertion.upperBound && start >= insertion.lowerBound
    }
}

// MARK: - Kinds

extension ExpectedEdit {
    private typealias Kind = (WrittenDocument, Int, inout SplitMix64) -> DefinitionEdit?

    /// Something that does not exist, with its attribute or text.
    private static func added(
        _ document: WrittenDocument, _ number: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        guard let (path, element) = document.all.randomElement(using: &random) else { return nil }
        let new = ElementPath.Key("name", "new\(number)")
        let below: [ElementPath] =
            switch element.name {
            case "application":
                [path.appending("models").appending("model", new), path.appending("groups")]
            case "model", "field":
                [
                    path.appending("fields").appending("field", new),
                    path.appending("options").appending("option", new),
                    path.appending("credentials").appending("credential", .init("role", "g-n")),
                ]
            case _: [path.appending("field", new)]
            }
        guard let place = below.randomElement(using: &random),
            document.root.descendant(at: place) == nil
        else { return nil }
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: .set(place, attribute: "type", value: value(using: &random))
        case 1: .write(place, text: "5 < 6")
        case _: .add(place)
        }
    }

    private static func setting(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        guard let (path, _) = document.all.randomElement(using: &random) else { return nil }
        let names = ["required", "w:description", "conflictMode", "w:renamedFrom", "type"]
        let given = Bool.random(using: &random) ? value(using: &random) : nil
        return .set(path, attribute: names.randomElement(using: &random) ?? "", value: given)
    }

    private static func writing(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        let leaves = document.all.filter { $0.element.children.isEmpty && !$0.path.steps.isEmpty }
        let text = ["5 < 6", "ü€", "7"].randomElement(using: &random) ?? ""
        return leaves.randomElement(using: &random).map { .write($0.path, text: text) }
    }

    private static func removal(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        document.all.dropFirst().randomElement(using: &random).map { .remove($0.path) }
    }

    private static func movement(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        let down = Bool.random(using: &random)
        return document.all.dropFirst().randomElement(using: &random).map {
            .move($0.path, down: down)
        }
    }

    private static func renaming(
        _ document: WrittenDocument, _ number: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        let named = document.all.filter { ["model", "group", "device"].contains($0.element.name) }
        return named.randomElement(using: &random).map { .rename($0.path, to: "r\(number)") }
    }

    private static func copying(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        let roles = document.roles
        guard let from = roles.randomElement(using: &random) else { return nil }
        let others = roles.filter { $0 != from } + ["g-new"]
        return .copyRights(from: from, to: others.randomElement(using: &random) ?? "g-new")
    }

    private static func roleRemoval(
        _ document: WrittenDocument, _: Int, _ random: inout SplitMix64
    ) -> DefinitionEdit? {
        document.roles.randomElement(using: &random).map { .removeRole($0) }
    }

    private static func value(using random: inout SplitMix64) -> String {
        ["", "a", "\"'<>&", "ü€", "\n\t"].randomElement(using: &random) ?? ""
    }
}

// MARK: - Changes

extension ExpectedEdit {
    private mutating func expect() throws {
        switch edit {
        case .add(let path): try create(path)
        case .set(let path, let name, let value):
            guard let element = document.root.descendant(at: path) else {
                return try create(path)
            }
            if name.hasPrefix("w:"), value != nil, document.prefixes[ownNamespace] == nil {
                insert(at: document.root.endOfAttributes)
            }
            set(name, to: value, of: element)
        case .write(let path, _):
            guard let element = document.root.descendant(at: path) else {
                return try create(path)
            }
            write(in: element)
        case .remove(let path):
            remove(try #require(document.root.descendant(at: path)))
        case .move(let path, let down): try move(path, down: down)
        case .rename(let path, _):
            let last = try #require(path.steps.last)
            let old = last.keys.first?.value ?? ""
            set("name", to: "", of: try #require(document.root.descendant(at: path)))
            for reference in document.references(to: old, as: last.name) {
                switch reference {
                case .text(let element): write(in: element)
                case .attribute(let attribute): replace(attribute.valueRange)
                }
            }
        case .copyRights(let from, let to): try copy(from: from, to: to)
        case .removeRole(let role):
            for (_, credential) in document.credentials(of: role) { remove(credential) }
            if let element = document.role(role) { remove(element) }
        }
    }

    private mutating func replace(_ range: Range<Int>, by bytes: [UInt8]? = nil) {
        replacements.append(Replacement(range: range, bytes: bytes))
    }

    private mutating func insert(at place: Int) { replace(place..<place) }

    /// In the last element of the path that exists: in its contents, or by opening its tag.
    private mutating func create(_ path: ElementPath) throws {
        var steps = path.steps
        while document.root.descendant(at: ElementPath(steps)) == nil { steps.removeLast() }
        let parent = try #require(document.root.descendant(at: ElementPath(steps)))
        if let endTag = parent.endTag {
            insertion = parent.startTag.upperBound..<endTag.lowerBound
        } else {
            replace(parent.endOfAttributes..<parent.startTag.upperBound)
        }
    }

    private mutating func set(_ name: String, to value: String?, of element: DocumentElement) {
        if let present = element.written(name) {
            if value != nil { return replace(present.valueRange) }
            let blanks = document.bytes[..<present.range.lowerBound].reversed()
                .prefix(while: isBlank).count
            replace(present.range.lowerBound - blanks..<present.range.upperBound, by: [])
        } else if value != nil {
            insert(at: element.endOfAttributes)
        }
    }

    /// All text of the element; comments stay.
    private mutating func write(in element: DocumentElement) {
        guard let endTag = element.endTag else {
            return replace(element.startTag.upperBound - 2..<element.startTag.upperBound)
        }
        var stretches = document.texts(from: element.startTag.upperBound, to: endTag.lowerBound)
        if stretches.isEmpty { return insert(at: endTag.lowerBound) }
        replace(stretches.removeFirst())
        for stretch in stretches { replace(stretch) }
    }

    private mutating func remove(_ element: DocumentElement) {
        replace(document.lines(of: element.range), by: [])
    }

    private mutating func move(_ path: ElementPath, down: Bool) throws {
        let last = try #require(path.steps.last)
        let element = try #require(document.root.descendant(at: path))
        let parent = document.root.descendant(at: ElementPath(Array(path.steps.dropLast())))
        let all = try #require(parent).children.filter { $0.name == last.name }
        let index = try #require(all.firstIndex(of: element))
        let other = index + (down ? 1 : -1)
        guard all.indices.contains(other) else { return }
        let (first, second) = (all[min(index, other)].range, all[max(index, other)].range)
        let between = document.bytes[first.upperBound..<second.lowerBound]
        replace(
            first.lowerBound..<second.upperBound,
            by: Array(document.bytes[second] + between + document.bytes[first]))
    }

    private mutating func copy(from: String, to: String) throws {
        let copies = document.credentials(of: to)
        for (owner, credential) in document.credentials(of: from) {
            if let copy = copies.first(where: { $0.owner == owner })?.credential {
                for attribute in credential.attributes where attribute.name != "role" {
                    set(attribute.isOwn ? "w:\(attribute.name)" : attribute.name, to: "", of: copy)
                }
            } else {
                let parent = try #require(
                    document.root.descendant(at: owner.appending("credentials")))
                insert(at: try #require(parent.children.last).range.upperBound)
            }
        }
    }
}
