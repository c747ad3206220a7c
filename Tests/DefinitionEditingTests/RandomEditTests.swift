import DefinitionCompiler
import DefinitionEditing
import TestKit
import Testing

/// Random edits of random documents, with comments and odd white space in every place that XML
/// allows. Everything outside of the stretch that an edit may change is compared byte by byte.
@Suite("Random edits leave everything else as it is")
struct RandomEditTests {
    @Test(arguments: UInt64(0)..<300)
    func othersBytesStay(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let source = RandomDocument(using: &random).text
        let file = SourceFile(name: "", bytes: Array(source.utf8))
        let before = try #require(WrittenDocument(file))
        let (target, path) = pick(in: before.root, using: &random)
        let (edit, allowed) = randomEdit(of: target, at: path, using: &random)
        let result = try DefinitionEditing.edit(file, [edit])
        let after = try #require(
            WrittenDocument(SourceFile(name: "", bytes: result)), "\(edit) broke the document")

        let window = changedRange(from: file.bytes, to: result)
        #expect(
            window.isEmpty || window.clamped(to: allowed) == window,
            "\(edit) changed \(window) of \(allowed)\n\(source)")
        try check(edit, in: after)
    }

    private func check(_ edit: DefinitionEdit, in document: WrittenDocument) throws {
        switch edit {
        case .set(let path, let name, let value):
            let element = try #require(find(path, in: document))
            #expect(element.attributes.first { $0.name == name }?.value == value)
        case .write(let path, let text): #expect(find(path, in: document)?.text == text)
        case .add(let path): #expect(find(path, in: document) != nil)
        case .remove, .move, .rename, .copyRights, .removeRole: break
        }
    }

    private func find(_ path: ElementPath, in document: WrittenDocument) -> DocumentElement? {
        path.steps.reduce(document.root) { element, step in
            element?.children.first { child in
                child.name == step.name
                    && step.keys.allSatisfy { key in
                        child.attributes.contains { $0.name == key.name && $0.value == key.value }
                    }
            }
        }
    }

    /// A random element below the root. Each has a name of its own, so its path is unique.
    private func pick(
        in root: DocumentElement, using random: inout SplitMix64
    ) -> (DocumentElement, ElementPath) {
        var (element, steps) = (root, [ElementPath.Step]())
        while let child = element.children.randomElement(using: &random),
            steps.isEmpty || Bool.random(using: &random)
        {
            element = child
            let key = child.attributes.first { $0.name == "name" }
            steps.append(.init(child.name, key.map { [.init("name", $0.value)] } ?? []))
        }
        return (element, ElementPath(steps))
    }

    /// An edit and the range of the document within which it may change something.
    private func randomEdit(
        of element: DocumentElement, at path: ElementPath, using random: inout SplitMix64
    ) -> (DefinitionEdit, Range<Int>) {
        let value = ["", "a", "\"'<>&", "ü€", "\n\t"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return (.set(path, attribute: "required", value: value), element.startTag)
        case 1: return (.set(path, attribute: "type", value: nil), element.startTag)
        case 2 where element.children.isEmpty && !path.steps.isEmpty:
            return (.write(path, text: "5 < 6"), element.range)
        case 3 where !path.steps.isEmpty:
            let blanks = element.range.lowerBound - 200..<element.range.upperBound + 200
            return (.remove(path), blanks)
        case _: return (.add(path.appending("field", .init("name", "new"))), element.range)
        }
    }

    /// The stretch of the old text between what both texts begin and end with.
    private func changedRange(from old: [UInt8], to new: [UInt8]) -> Range<Int> {
        let same = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - same
        let end = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return same..<old.count - end
    }
}

/// A document of nested elements with random layout.
private struct RandomDocument {
    private(set) var text = ""
    private var count = 0

    init(using random: inout SplitMix64) {
        text = ["", "<?xml version='1.0'?>\n"].randomElement(using: &random) ?? ""
        write("application", depth: 0, using: &random)
    }

    private mutating func write(_ name: String, depth: Int, using random: inout SplitMix64) {
        count += 1
        text += "<\(name)\(blank(using: &random, atLeast: 1))name=\"n\(count)\""
        if Bool.random(using: &random) {
            text += "\(blank(using: &random, atLeast: 1))type = '&lt;\"é'"
        }
        text += blank(using: &random, atLeast: 0)
        let children = depth == 3 ? 0 : Int.random(in: 0...3, using: &random)
        guard children > 0 || Bool.random(using: &random) else {
            text += "/>"
            return
        }
        text += ">"
        for _ in 0..<children {
            gap(depth, using: &random)
            let names = ["models", "model", "fields", "field", "options"]
            write(names.randomElement(using: &random) ?? "model", depth: depth + 1, using: &random)
        }
        gap(depth, using: &random)
        text += "</\(name)>"
    }

    private mutating func gap(_ depth: Int, using random: inout SplitMix64) {
        let indentation = String(repeating: "  ", count: depth)
        let gaps = [
            "", " ", "\n\(indentation)", "\n\n\(indentation)", "<!-- <x a='>'/> -->", "\r\n",
        ]
        text += gaps.randomElement(using: &random) ?? ""
    }

    private func blank(using random: inout SplitMix64, atLeast least: Int) -> String {
        let blanks = ["", " ", "  ", "\n  ", "\t"].dropFirst(least)
        return blanks.randomElement(using: &random) ?? " "
    }
}
