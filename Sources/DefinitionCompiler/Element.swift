/// All elements of a document, in its order, each before those in it.
///
/// Two arrays and not a tree of objects: making and freeing those would take as long as all else.
final class Elements {
    fileprivate let nodes: [Node]
    fileprivate let attributes: [Attribute]
    /// Where the root declares namespaces.
    fileprivate let declarations: [NamespaceDeclaration]

    init(nodes: [Node], attributes: [Attribute], declarations: [NamespaceDeclaration]) {
        self.nodes = nodes
        self.attributes = attributes
        self.declarations = declarations
    }

    /// Nil when there are no elements.
    var root: Element? { nodes.isEmpty ? nil : Element(of: self, at: 0) }
}

/// What is kept of an element. All ranges of the document are in the text's bytes.
struct Node {
    let name: String
    let namespace: String?
    let nameRange: Range<Int>
    /// Which of all attributes are the element's.
    let attributes: Range<Int>
    /// The index behind its last descendant.
    var end: Int
    var text = ""
    var textRange: Range<Int>
}

/// An element of the document.
struct Element {
    private let elements: Elements
    private let index: Int

    fileprivate init(of elements: Elements, at index: Int) {
        self.elements = elements
        self.index = index
    }

    private var node: Node { elements.nodes[index] }

    var name: String { node.name }
    var namespace: String? { node.namespace }
    var nameRange: Range<Int> { node.nameRange }

    /// All its text, joined, without white space at either end. Not that of its children.
    var text: String { node.text }

    /// From where the text begins to the element's end tag, or to the first markup behind it where
    /// there are children; empty where there is no text.
    var textRange: Range<Int> { node.textRange }

    var attributes: ArraySlice<Attribute> { elements.attributes[node.attributes] }

    var children: Children { Children(of: elements, from: index + 1, to: node.end) }

    /// Where it declares namespaces, known of the root only.
    var namespaceDeclarations: [NamespaceDeclaration] {
        index == 0 ? elements.declarations : []
    }

    /// The attribute of that name that belongs to no namespace.
    subscript(name: String) -> Attribute? {
        let found = node.attributes.first {
            elements.attributes[$0].name == name && elements.attributes[$0].namespace == nil
        }
        return found.map { elements.attributes[$0] }
    }

    /// The attribute of that name that is one of our own.
    subscript(own name: String) -> Attribute? {
        ownAttributes.first { $0.name == name }
    }

    /// The attributes that are our own, in the order of the document.
    var ownAttributes: some Sequence<Attribute> {
        attributes.lazy.filter { $0.namespace == ownNamespace }
    }

    /// The elements of one name within the sections of another: `model` in `models`.
    func items(_ name: String, in section: String) -> [Element] {
        var items: [Element] = []
        for child in children where child.name == section {
            for item in child.children where item.name == name { items.append(item) }
        }
        return items
    }

    struct Children: Sequence, IteratorProtocol {
        private let elements: Elements
        private var index: Int
        private let end: Int

        fileprivate init(of elements: Elements, from start: Int, to end: Int) {
            self.elements = elements
            index = start
            self.end = end
        }

        mutating func next() -> Element? {
            guard index < end else { return nil }
            defer { index = elements.nodes[index].end }
            return Element(of: elements, at: index)
        }
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

/// The namespace of what Waggle adds to the language of the original platform.
let ownNamespace = "urn:waggle:definition"

struct NamespaceDeclaration {
    /// As written: references in it are not resolved.
    let value: String
    let valueRange: Range<Int>
}
