/// All elements of a document, in its order, each before those in it.
///
/// Arrays of small values and not a tree of objects: making and freeing those would take as long as
/// all else, and memory that is written for the first time costs as much as what is done with it.
final class Elements {
    fileprivate let nodes: [Node]
    fileprivate let attributes: [StoredAttribute]
    fileprivate let words: Words
    /// Where the root declares namespaces.
    fileprivate let declarations: [NamespaceDeclaration]

    init(
        nodes: [Node], attributes: [StoredAttribute], words: Words,
        declarations: [NamespaceDeclaration]
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.words = words
        self.declarations = declarations
    }

    /// Nil when there are no elements.
    var root: Element? { nodes.isEmpty ? nil : Element(of: self, at: 0) }
}

/// What is kept of an element.
struct Node {
    let name: Words.Index
    let namespace: Namespace
    let nameRange: ByteRange
    /// Which of all attributes are the element's.
    let attributes: ByteRange
    /// The index behind its last descendant.
    var end: UInt32
    var text = ""
    var textRange: ByteRange
}

/// What is kept of an attribute.
struct StoredAttribute {
    let name: Words.Index
    let namespace: Namespace
    let value: String
    let nameRange: ByteRange
    let valueRange: ByteRange
}

/// A range in half the memory: no document has as many bytes as 32 bits count, see
/// `CompilerLimits`.
struct ByteRange: Equatable {
    private let start: UInt32
    private let end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
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

    var name: String { elements.words[elements.nodes[index].name] }
    var namespace: Namespace { elements.nodes[index].namespace }
    var nameRange: Range<Int> { elements.nodes[index].nameRange.range }

    /// As the document writes it; nil where there is none.
    var namespaceName: String? { elements.words.name(of: node.namespace) }

    /// All its text, joined, without white space at either end. Not that of its children.
    var text: String { node.text }

    /// From where the text begins to the element's end tag, or to the first markup behind it where
    /// there are children; empty where there is no text.
    var textRange: Range<Int> { node.textRange.range }

    var attributes: some RandomAccessCollection<Attribute> {
        node.attributes.range.lazy.map { [elements] in Attribute(of: elements, at: $0) }
    }

    var children: Children { Children(of: elements, from: index + 1, to: Int(node.end)) }

    /// Where it declares namespaces, known of the root only.
    var namespaceDeclarations: [NamespaceDeclaration] {
        index == 0 ? elements.declarations : []
    }

    /// The attribute of that name that belongs to no namespace.
    subscript(name: String) -> Attribute? { attribute(name, in: .none) }

    /// The attribute of that name that is one of our own.
    subscript(own name: String) -> Attribute? { attribute(name, in: .own) }

    private func attribute(_ name: String, in namespace: Namespace) -> Attribute? {
        let index = elements.nodes[index].attributes.range.first {
            elements.attributes[$0].namespace == namespace
                && elements.words[elements.attributes[$0].name] == name
        }
        return index.map { Attribute(of: elements, at: $0) }
    }

    /// The attributes that are our own, in the order of the document.
    var ownAttributes: [Attribute] {
        let own = node.attributes.range.filter { elements.attributes[$0].namespace == .own }
        return own.map { Attribute(of: elements, at: $0) }
    }

    /// The elements of one name within the sections of another: `model` in `models`.
    func items(_ name: String, in section: String) -> [Element] {
        var items: [Element] = []
        for child in children where child.name == section {
            for item in child.children where item.name == name { items.append(item) }
        }
        return items
    }

    /// The element of the same document whose `<` stands at a byte of the text, if one does.
    func element(beginningAt offset: Int) -> Element? {
        let nodes = elements.nodes
        let index = nodes.partitioningIndex { $0.nameRange.range.lowerBound > offset }
        guard index < nodes.endIndex, nodes[index].nameRange.range.lowerBound == offset + 1 else {
            return nil
        }
        return Element(of: elements, at: index)
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
            defer { index = Int(elements.nodes[index].end) }
            return Element(of: elements, at: index)
        }
    }
}

/// An attribute of an element of the document.
struct Attribute {
    private let elements: Elements
    private let index: Int

    fileprivate init(of elements: Elements, at index: Int) {
        self.elements = elements
        self.index = index
    }

    var name: String { elements.words[elements.attributes[index].name] }
    var namespace: Namespace { elements.attributes[index].namespace }
    var value: String { elements.attributes[index].value }
    var nameRange: Range<Int> { elements.attributes[index].nameRange.range }

    /// Without the quotes.
    var valueRange: Range<Int> { elements.attributes[index].valueRange.range }

    /// As the document writes it; nil where there is none.
    var namespaceName: String? { elements.words.name(of: namespace) }
}

struct NamespaceDeclaration {
    /// As written: references in it are not resolved.
    let value: String
    let valueRange: Range<Int>
}
