import DefinitionModel

/// The versions of a definition that changes: the current one, and those around it.
struct EvolutionState: Sendable {
    private(set) var present: EvolvingDefinition
    /// The definitions that were replaced, the last one last.
    private var former: [EvolvingDefinition] = []
    /// The next version, if apps have it already.
    private(set) var prepared: EvolvingDefinition?
    private var made = 0

    init(_ definition: Definition) { present = EvolvingDefinition(definition) }

    /// The version after some changes; nil if nothing would be changed, or one is prepared already.
    mutating func next(_ changes: [Evolution], forgetsNames: Bool) -> EvolvingDefinition? {
        guard prepared == nil else { return nil }
        made += 1
        return present.next(changes, number: made, forgetsNames: forgetsNames)
    }

    /// Prepares the next version, without changes that what is stored may stand against.
    mutating func prepare(_ changes: [Evolution], forgetsNames: Bool) {
        let safe = changes.filter { !present.mayBeRefused($0) }
        prepared = next(safe, forgetsNames: forgetsNames)
    }

    /// The version that was replaced last; nil if it has other types under other names, or one is
    /// prepared.
    var before: EvolvingDefinition? {
        prepared == nil ? former.last?.again(after: present) : nil
    }

    mutating func note(deployed version: EvolvingDefinition) {
        former.append(present)
        present = version
        prepared = nil
    }
}

extension EvolvingDefinition {
    /// Whether stored values of another type, or repeated ones, may stand against a change.
    fileprivate func mayBeRefused(_ change: Evolution) -> Bool {
        switch change {
        case .restoreModel: true
        case .restoreField(let field, let model):
            goneFields[model]?.contains { $0.name == field && $0.isUnique } ?? false
        case .renameModel, .renameField, .addField, .removeField, .requireField, .narrowLimits,
            .widenLimits, .widenType, .addModel, .removeModel:
            false
        }
    }
}
