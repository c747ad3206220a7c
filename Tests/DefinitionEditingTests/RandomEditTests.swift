import DefinitionCompiler
import DefinitionEditing
import TestKit
import Testing

/// Sequences of random edits on random definitions, with comments and odd white space in every
/// place that XML allows. Everything outside of the stretches that an edit has to change is
/// compared byte by byte.
@Suite("Random edits leave everything else as it is")
struct RandomEditTests {
    private static let length = 8

    @Test(arguments: UInt64(0)..<100)
    func othersBytesStay(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let first = Array(RandomApplicationText.text(using: &random).utf8)
        var (bytes, edits) = (first, [DefinitionEdit]())
        for number in 1...Self.length {
            let before = try #require(WrittenDocument(SourceFile(name: "", bytes: bytes)))
            let expected = try ExpectedEdit(number: number, in: before, using: &random)
            let result = try edit(SourceFile(name: "", bytes: bytes), [expected.edit])
            let after = try #require(
                WrittenDocument(SourceFile(name: "", bytes: result)),
                "\(expected.edit) broke \(text(bytes))")
            #expect(
                expected.allows(result, instead: bytes),
                "\(expected.edit)\nwrote \(text(result))\ninto \(text(bytes))")
            try check(expected.edit, from: before, to: after)
            edits.append(expected.edit)
            bytes = result
        }
        #expect(try edit(SourceFile(name: "", bytes: first), edits) == bytes)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Checks that the document has what the edit says.
    private func check(
        _ edit: DefinitionEdit, from before: WrittenDocument, to after: WrittenDocument
    ) throws {
        switch edit {
        case .set(let path, let name, let value):
            let element = try #require(after.root.descendant(at: path))
            #expect(element.written(name)?.value == value)
        case .write(let path, let text):
            #expect(after.root.descendant(at: path)?.text == text)
        case .add(let path): #expect(after.root.descendant(at: path) != nil)
        case .remove(let path): #expect(after.root.descendant(at: path) == nil)
        case .move: break
        case .rename(let path, let name):
            let last = try #require(path.steps.last)
            let old = last.keys.first?.value ?? ""
            let count = before.references(to: old, as: last.name).count
            #expect(after.references(to: name, as: last.name).count == count)
            #expect(after.references(to: old, as: last.name).isEmpty)
        case .copyRights(let from, let to):
            let copies = after.credentials(of: to)
            for (owner, credential) in after.credentials(of: from) {
                let copy = try #require(copies.first { $0.owner == owner }?.credential)
                for attribute in credential.attributes where attribute.name != "role" {
                    let name = attribute.isOwn ? "w:\(attribute.name)" : attribute.name
                    #expect(copy.written(name)?.value == attribute.value)
                }
            }
        case .removeRole(let role):
            #expect(after.credentials(of: role).isEmpty)
            #expect(after.role(role) == nil)
        }
    }
}
