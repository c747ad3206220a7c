/// What a name names; the raw value is what messages call it.
enum NameKind: String, Hashable, Sendable, CaseIterable {
    case application
    case vendor
    case deviceCategory = "device category"
    case group
    case model
    case field
}

/// Names that must be unique among each other, in the order of the document.
struct Names {
    private(set) var inOrder: [String] = []
    private var places: [Range<Int>] = []
    /// The first name of each spelling in lower case.
    private var firstByLowerCase: [String: Int] = [:]
    /// The others, which there are only where something is wrong.
    private var others: [String: Int] = [:]

    init(capacity: Int) {
        inOrder.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
        firstByLowerCase.reserveCapacity(capacity)
    }

    func contains(_ name: String) -> Bool { place(of: name) != nil }

    /// Where a name is declared first; nil where it is not.
    func place(of name: String) -> Range<Int>? {
        guard let first = firstByLowerCase[name.lowercased()] else { return nil }
        return inOrder[first] == name ? places[first] : others[name].map { places[$0] }
    }

    fileprivate mutating func declare(
        _ attribute: Attribute, as kind: NameKind, reportingTo findings: inout Findings
    ) {
        let name = attribute.value
        let lowerCase = name.lowercased()
        if let other = firstByLowerCase[lowerCase] {
            if let first = place(of: name) {
                findings.report(
                    .duplicateName(name, of: kind, at: attribute.valueRange, first: first))
                return
            }
            findings.report(
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

/// Checks the `name` of each element. A name that is illegal can still be referred to, so that its
/// mistake is reported once.
func checkNames(
    of elements: [Element], as kind: NameKind, reportingTo findings: inout Findings
) -> Names {
    var names = Names(capacity: elements.count)
    for element in elements {
        guard let attribute = element["name"] else { continue }
        _ = checkName(attribute, of: kind, reportingTo: &findings)
        names.declare(attribute, as: kind, reportingTo: &findings)
    }
    return names
}

/// The name, if it may be one; nil also when there is none, which is then not reported here.
func checkName(
    _ attribute: Attribute?, of kind: NameKind, reportingTo findings: inout Findings
) -> String? {
    guard let attribute else { return nil }
    let name = attribute.value
    if !isLegal(name) {
        findings.report(.illegalName(name, of: kind, at: attribute.valueRange))
        return nil
    }
    if name.utf8.count > maxNameLength {
        findings.report(
            .nameTooLong(name, of: kind, limit: maxNameLength, at: attribute.valueRange))
        return nil
    }
    if kind == .field, reservedFieldNames.contains(name) {
        findings.report(.reservedName(name, at: attribute.valueRange))
        return nil
    }
    return name
}

private let maxNameLength = 40

/// What every record has beside its fields, which typed models and queries then could not tell
/// apart, and the one name that the original wire itself puts among the fields.
private let reservedFieldNames: Set<String> = [
    "guid", "owner", "group", "conflicted", "deleted", "modified", "s_deleted",
]

/// ASCII letters, digits and `_`, not starting with a digit. No `-`: a role is named
/// `GROUP-DEVICE`, and two roles could then have the same name.
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
