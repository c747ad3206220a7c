/// An element of the document, with the ranges of all its parts in the text's bytes.
///
/// A class, since the stages hand hundreds of thousands of them around; only `parse` changes one,
/// before anyone else sees it.
final class Element {
    let name: String
    let namespace: String?
    let nameRange: Range<Int>
    let attributes: [Attribute]
    let namespaceDeclarations: [NamespaceDeclaration]
    var children: [Element] = []
    /// All its text, joined, without white space at either end. Not that of its children.
    var text = ""
    /// From where the text begins to the element's end tag, or to the first markup behind it where
    /// there are children; empty where there is no text.
    var textRange: Range<Int>

    init(
        name: String, namespace: String?, nameRange: Range<Int>, attributes: [Attribute],
        namespaceDeclarations: [NamespaceDeclaration], contentStart: Int
    ) {
        self.name = name
        self.namespace = namespace
        self.nameRange = nameRange
        self.attributes = attributes
        self.namespaceDeclarations = namespaceDeclarations
        textRange = contentStart..<contentStart
    }

    /// The attribute of that name that belongs to no namespace.
    subscript(name: String) -> Attribute? {
        attributes.first { $0.name == name && $0.namespace == nil }
    }

    /// The elements of one name within the sections of another: `model` in `models`.
    func items(_ name: String, in section: String) -> [Element] {
        var items: [Element] = []
        for child in children where child.name == section {
            items.reserveCapacity(items.count + child.children.count)
            for item in child.children where item.name == name { items.append(item) }
        }
        return items
    }
}

struct Attribute {
    let name: String
    let namespace: String?
    let value: String
    let nameRange: Range<Int>
    /// Without the quotes.
    let valueRange: Range<Int>
}

struct NamespaceDeclaration {
    /// As written: references in it are not resolved.
    let value: String
    let valueRange: Range<Int>
}
