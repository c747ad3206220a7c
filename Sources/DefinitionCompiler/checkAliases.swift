import DefinitionModel

/// An alias is a name for the clients of other products. It must be valid, and no other element may
/// have it as its name or alias, in any case.
func checkAliases(
    of elements: [Element], as kind: NameKind, reportingTo collector: inout DiagnosticCollector
) {
    guard elements.contains(where: { $0[own: "alias"] != nil }) else { return }
    var places: [String: (index: Int, range: Range<Int>)] = [:]
    for (index, element) in elements.enumerated() {
        guard let name = element["name"] else { continue }
        places[name.value.lowercased()] = (index, name.valueRange)
    }
    for (index, element) in elements.enumerated() {
        guard let attribute = element[own: "alias"] else { continue }
        let (alias, range) = (attribute.value, attribute.valueRange)
        if !isLegal(alias) {
            collector.report(.illegalName(alias, of: kind, at: range))
        } else if alias.utf8.count > maxAliasLength {
            collector.report(.nameTooLong(alias, of: kind, limit: maxAliasLength, at: range))
        } else if let other = places[alias.lowercased()], other.index != index {
            collector.report(.aliasTaken(alias, of: kind, at: range, other: other.range))
        } else {
            places[alias.lowercased()] = (index, range)
        }
    }
}

/// Names of tables and columns elsewhere are longer than those of definitions.
private let maxAliasLength = 128
