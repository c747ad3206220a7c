/// All elements of a document in document order, parents before children.
///
/// The elements are stored in flat arrays of small values. Allocating a tree of objects would take
/// as long as all other work, and first writes to memory are as expensive as the work done on it.
final class Elements {
    fileprivate let nodes: [Node]
    fileprivate let attributes: [StoredAttribute]
    fileprivate let names: NameTable
    /// The namespace declarations of the root.
    fileprivate let declarations: [NamespaceDeclaration]

    init(
        nodes: [Node], attributes: [StoredAttribute], names: NameTable,
        declarations: [NamespaceDeclaration]
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.names = names
        self.declarations = declarations
    }

    /// Nil if there are no elements.
    var root: Element? { nodes.isEmpty ? nil : Element(of: self, at: 0) }
}

/// The stored form of an element.
struct Node {
    let name: NameTable.Index
    let namespace: Namespace
    let nameRange: ByteRange
    /// The element's range in the array of all attributes.
    let attributes: ByteRange
    /// The index after the last descendant.
    var end: UInt32
    var text = ""
    var textRange: ByteRange
}

/// The stored form of an attribute.
struct StoredAttribute {
    let name: NameTable.Index
    let namespace: Namespace
    let value: String
    let nameRange: ByteRange
    let valueRange: ByteRange
}

/// A range in half the memory. Offsets fit in 32 bits; see `CompilerLimits`.
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

    var name: String { elements.names[elements.nodes[index].name] }
    var namespace: Namespace { elements.nodes[index].namespace }
    var nameRange: Range<Int> { elements.nodes[index].nameRange.range }

    /// As written in the document; nil without a namespace.
    var namespaceName: String? { elements.names.name(of: node.namespace) }

    /// The element's own text, joined and trimmed of white space, without that of its children.
    var text: String { node.text }

    /// The range from the start of the text to the end tag or, if the element has children, to the
    /// next markup. Empty without text.
    var textRange: Range<Int> { node.textRange.range }

    var attributes: some RandomAccessCollection<Attribute> {
        node.attributes.range.lazy.map { [elements] in Attribute(of: elements, at: $0) }
    }

    var children: Children { Children(of: elements, from: index + 1, to: Int(node.end)) }

    /// The namespace declarations of the element; known for the root only.
    var namespaceDeclarations: [NamespaceDeclaration] {
        index == 0 ? elements.declarations : []
    }

    /// The attribute with that name and no namespace.
    subscript(name: String) -> Attribute? { attribute(name, in: .none) }

    /// The attribute with that name in Waggle's own namespace.
    subscript(own name: String) -> Attribute? { attribute(name, in: .own) }

    private func attribute(_ name: String, in namespace: Namespace) -> Attribute? {
        let index = elements.nodes[index].attributes.range.first {
            elements.attributes[$0].namespace == namespace
                && elements.names[elements.attributes[$0].name] == name
        }
        return index.map { Attribute(of: elements, at: $0) }
    }

    /// The attributes in Waggle's own namespace, in document order.
    var ownAttributes: [Attribute] {
        let own = node.attributes.range.filter { elements.attributes[$0].namespace == .own }
        return own.map { Attribute(of: elements, at: $0) }
    }

    /// The elements with one name inside sections with another, such as `model` in `models`.
    func items(_ name: String, in section: String) -> [Element] {
        var items: [Element] = []
        for child in children where child.name == section {
            for item in child.children where item.name == name { items.append(item) }
        }
        return items
    }

    /// The element of the same document whose `<` is at a byte offset, if any.
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

/// An attribute of an element.
struct Attribute {
    private let elements: Elements
    private let index: Int

    fileprivate init(of elements: Elements, at index: Int) {
        self.elements = elements
        self.index = index
    }

    var name: String { elements.names[elements.attributes[index].name] }
    var namespace: Namespace { elements.attributes[index].namespace }
    var value: String { elements.attributes[index].value }
    var nameRange: Range<Int> { elements.attributes[index].nameRange.range }

    /// Without the quotes.
    var valueRange: Range<Int> { elements.attributes[index].valueRange.range }

    /// As written in the document; nil without a namespace.
    var namespaceName: String? { elements.names.name(of: namespace) }
}

struct NamespaceDeclaration {
    /// As written; references are not resolved.
    let value: String
    let valueRange: Range<Int>
}
