/// The kind of thing that a name denotes; the raw value is used in messages.
enum NameKind: String, Hashable, Sendable, CaseIterable {
    case application
    case vendor
    case deviceCategory = "device category"
    case group
    case model
    case field
}

/// Names that must be unique, in document order.
struct DeclaredNames {
    private(set) var inOrder: [String] = []
    private var places: [Range<Int>] = []
    /// The index of the first name for each lower-case spelling.
    private var firstByLowerCase: [String: Int] = [:]
    /// Further names with the same lower-case spelling; only documents with mistakes have any.
    private var others: [String: Int] = [:]

    init(capacity: Int) {
        inOrder.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
        firstByLowerCase.reserveCapacity(capacity)
    }

    func contains(_ name: String) -> Bool { place(of: name) != nil }

    /// The range of the first declaration of a name; nil if it is not declared.
    func place(of name: String) -> Range<Int>? {
        guard let first = firstByLowerCase[name.lowercased()] else { return nil }
        return inOrder[first] == name ? places[first] : others[name].map { places[$0] }
    }

    fileprivate mutating func declare(
        _ attribute: Attribute, as kind: NameKind, reportingTo collector: inout DiagnosticCollector
    ) {
        let name = attribute.value
        let lowerCase = name.lowercased()
        if let other = firstByLowerCase[lowerCase] {
            if let first = place(of: name) {
                collector.report(
                    .duplicateName(name, of: kind, at: attribute.valueRange, first: first))
                return
            }
            collector.report(
                .namesDifferInCase(
                    name, inOrder[other], of: kind, at: attribute.valueRange,
                    first: places[other]))
            others[name] = inOrder.count
        } else {
            firstByLowerCase[lowerCase] = inOrder.count
        }
        inOrder.append(name)
        places.append(attribute.valueRange)
    }
}

/// Checks the `name` of each element. An invalid name can still be referred to, so that its error
/// is reported once.
func checkNames(
    of elements: [Element], as kind: NameKind, reportingTo collector: inout DiagnosticCollector
) -> DeclaredNames {
    var names = DeclaredNames(capacity: elements.count)
    for element in elements {
        guard let attribute = element["name"] else { continue }
        _ = checkName(attribute, of: kind, reportingTo: &collector)
        names.declare(attribute, as: kind, reportingTo: &collector)
    }
    return names
}

/// The name, if valid. Nil without a report if the attribute is missing.
func checkName(
    _ attribute: Attribute?, of kind: NameKind, reportingTo collector: inout DiagnosticCollector
) -> String? {
    guard let attribute else { return nil }
    let name = attribute.value
    if !isLegal(name) {
        collector.report(.illegalName(name, of: kind, at: attribute.valueRange))
        return nil
    }
    if name.utf8.count > maxNameLength {
        collector.report(
            .nameTooLong(name, of: kind, limit: maxNameLength, at: attribute.valueRange))
        return nil
    }
    if kind == .field, reservedFieldNames.contains(name) {
        collector.report(.reservedName(name, at: attribute.valueRange))
        return nil
    }
    return name
}

private let maxNameLength = 40

/// Names of the built-in properties of records, which typed models and queries could not
/// distinguish from fields, and the one name that the original wire itself adds to the fields.
private let reservedFieldNames: Set<String> = [
    "guid", "owner", "group", "conflicted", "deleted", "modified", "s_deleted",
]

/// ASCII letters, digits and `_`, not starting with a digit. `-` is not allowed: a role is named
/// `GROUP-DEVICE`, so two roles could have the same name.
func isLegal(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
