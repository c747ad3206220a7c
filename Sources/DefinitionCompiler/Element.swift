/// An element of the document, with the ranges of all its parts in the text's bytes.
struct Element {
    let name: String
    let namespace: String?
    let nameRange: Range<Int>
    let attributes: [Attribute]
    let namespaceDeclarations: [NamespaceDeclaration]
    var children: [Element] = []
    /// All its text, joined, without white space at either end. Not that of its children.
    var text = ""
    /// From where the text begins to the element's end tag; empty where there is none.
    var textRange: Range<Int>

    /// The attribute of that name that belongs to no namespace.
    subscript(name: String) -> Attribute? {
        attributes.first { $0.name == name && $0.namespace == nil }
    }

    /// The elements of one name within the sections of another: `model` in `models`.
    func items(_ name: String, in section: String) -> [Element] {
        let sections = children.filter { $0.name == section }
        return sections.flatMap { $0.children.filter { $0.name == name } }
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
