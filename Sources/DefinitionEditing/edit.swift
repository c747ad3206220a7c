package import DefinitionCompiler

/// Applies edits in order, and returns the new text. All bytes that the edits do not concern stay
/// as they are: comments, order, white space and quotes.
///
/// New elements are written as their neighbours are, on lines of their own if these have such.
/// Throws if one of the edits is not possible; then none is applied.
package func edit(
    _ source: SourceFile, _ edits: [DefinitionEdit],
    within limits: CompilerLimits = CompilerLimits()
) throws(EditError) -> [UInt8] {
    guard !edits.isEmpty else { return source.bytes }
    var current = try document(source, limits)
    for edit in edits {
        for step in try steps(of: edit, in: current) {
            guard let change = try change(for: step, in: current) else { continue }
            let bytes = current.applying(change)
            current = try document(SourceFile(name: source.name, bytes: bytes), limits)
        }
    }
    return (current.hasByteOrderMark ? byteOrderMark : []) + current.bytes
}

/// A stretch of the document and its new text.
struct TextChange: Hashable {
    let range: Range<Int>
    let text: String
}

extension WrittenDocument {
    func applying(_ change: TextChange) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(change.range, with: change.text.utf8)
        return (hasByteOrderMark ? byteOrderMark : []) + bytes
    }
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

private func document(
    _ source: SourceFile, _ limits: CompilerLimits
) throws(EditError) -> WrittenDocument {
    guard let document = WrittenDocument(source, within: limits) else { throw .illegible }
    return document
}

/// The one change of the text that a simple edit is; nil if there is nothing to change.
private func change(
    for edit: DefinitionEdit, in document: WrittenDocument
) throws(EditError) -> TextChange? {
    switch edit {
    case .add(let path):
        return document.find(path) == nil ? try document.creation(of: path) : nil
    case .set(let path, let name, let value):
        guard let element = document.find(path) else {
            guard value != nil else { return nil }
            return try document.creation(of: path)
        }
        return try document.setting(name, to: value, of: element)
    case .write(let path, let text):
        guard let element = document.find(path) else { return try document.creation(of: path) }
        return try document.writing(text, in: element)
    case .remove(let path):
        guard let element = document.find(path) else { throw .missing(path) }
        return TextChange(range: document.linesAlone(with: element.range), text: "")
    case .move(let path, let down):
        return try document.moving(path, down: down)
    case .rename, .copyRights, .removeRole: return nil
    }
}

/// The simple edits that an edit consists of. A simple edit that may have to create its element is
/// there twice.
private func steps(
    of edit: DefinitionEdit, in document: WrittenDocument
) throws(EditError) -> [DefinitionEdit] {
    switch edit {
    case .add, .remove, .move: [edit]
    case .set(let path, let name, let value):
        // Declares the namespace first where it is needed.
        try document.declaration(for: name, value)
            + [.add(path), edit].filter {
                value != nil || $0 == edit
            }
    case .write(let path, _): [.add(path), edit]
    case .rename(let path, let name): try document.renaming(path, to: name)
    case .copyRights(let from, let to): document.copyingRights(from: from, to: to)
    case .removeRole(let role): document.removingRole(role)
    }
}
