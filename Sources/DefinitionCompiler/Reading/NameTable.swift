import CLibXML2

/// The language that a name belongs to.
enum Namespace: Equatable {
    case none
    /// The language of the original platform.
    case language
    /// Waggle's extensions.
    case own
    /// An unknown namespace, by number.
    case other(UInt16)
}

/// The namespace of the original platform's language.
let languageNamespace = "http://schema.mobeelizer.com/application"

/// The namespace of Waggle's extensions.
let ownNamespace = "urn:waggle:definition"

/// The distinct names and namespaces of a document.
///
/// libxml2 interns each name, so its address identifies it. Names are looked up by a linear search
/// among the first few, as many as the language has; other names are stored at each use.
struct NameTable {
    typealias Index = UInt32

    private var names: [String] = []
    private var known: [(address: UnsafePointer<xmlChar>, index: Index)] = []
    private var namespaces: [(address: UnsafePointer<xmlChar>, namespace: Namespace)] = []
    private var otherNamespaces: [String] = []

    private static let linearSearchLimit = 40

    subscript(index: Index) -> String { names[Int(index)] }

    /// As written in the document; nil without a namespace.
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
        for name in known where name.address == address { return name.index }
        let index = add(String(cString: address))
        if known.count < Self.linearSearchLimit { known.append((address, index)) }
        return index
    }

    private mutating func add(_ name: String) -> Index {
        names.append(name)
        return Index(truncatingIfNeeded: names.count - 1)
    }

    mutating func namespace(_ address: UnsafePointer<xmlChar>?) -> Namespace {
        guard let address else { return .none }
        for known in namespaces where known.address == address { return known.namespace }
        let namespace = namespace(named: String(cString: address))
        if namespaces.count < Self.linearSearchLimit { namespaces.append((address, namespace)) }
        return namespace
    }

    private mutating func namespace(named name: String) -> Namespace {
        if name == languageNamespace { return .language }
        if name == ownNamespace { return .own }
        if let number = otherNamespaces.firstIndex(of: name) {
            return .other(UInt16(truncatingIfNeeded: number))
        }
        // Further namespaces share the last number: all of them are unknown.
        if otherNamespaces.count < Self.mostOthers { otherNamespaces.append(name) }
        return .other(UInt16(truncatingIfNeeded: otherNamespaces.count - 1))
    }

    private static let mostOthers = 100
}
