import CLibXML2

/// To which language a name belongs.
enum Namespace: Equatable {
    case none
    /// The original platform's.
    case language
    /// What Waggle adds.
    case own
    /// One that means nothing here, by its number.
    case other(UInt16)
}

/// The namespace of the original platform's language.
let languageNamespace = "http://schema.mobeelizer.com/application"

/// The namespace of what Waggle adds to it.
let ownNamespace = "urn:waggle:definition"

/// The names of elements and attributes, and the namespaces, that a document uses.
///
/// libxml2 keeps one copy of each, so that its address tells it. That is asked of the first few,
/// which are as many as the language has, since they are looked through; of the others each use is
/// kept.
struct Words {
    typealias Index = UInt32

    private var words: [String] = []
    private var known: [(address: UnsafePointer<xmlChar>, index: Index)] = []
    private var namespaces: [(address: UnsafePointer<xmlChar>, namespace: Namespace)] = []
    private var otherNamespaces: [String] = []

    private static let mostLookedThrough = 40

    subscript(index: Index) -> String { words[Int(index)] }

    /// As the document writes it; nil where there is none.
    func name(of namespace: Namespace) -> String? {
        switch namespace {
        case .none: nil
        case .language: languageNamespace
        case .own: ownNamespace
        case .other(let number): otherNamespaces[Int(number)]
        }
    }

    mutating func index(of address: UnsafePointer<xmlChar>?) -> Index {
        guard let address else { return add("") }
        for word in known where word.address == address { return word.index }
        let index = add(String(cString: address))
        if known.count < Self.mostLookedThrough { known.append((address, index)) }
        return index
    }

    private mutating func add(_ word: String) -> Index {
        words.append(word)
        return Index(truncatingIfNeeded: words.count - 1)
    }

    mutating func namespace(_ address: UnsafePointer<xmlChar>?) -> Namespace {
        guard let address else { return .none }
        for known in namespaces where known.address == address { return known.namespace }
        let namespace = namespace(named: String(cString: address))
        if namespaces.count < Self.mostLookedThrough { namespaces.append((address, namespace)) }
        return namespace
    }

    private mutating func namespace(named name: String) -> Namespace {
        if name == languageNamespace { return .language }
        if name == ownNamespace { return .own }
        if let number = otherNamespaces.firstIndex(of: name) {
            return .other(UInt16(truncatingIfNeeded: number))
        }
        // Beyond these, none is told from the last: none of them means anything.
        if otherNamespaces.count < Self.mostOthers { otherNamespaces.append(name) }
        return .other(UInt16(truncatingIfNeeded: otherNamespaces.count - 1))
    }

    private static let mostOthers = 100
}
