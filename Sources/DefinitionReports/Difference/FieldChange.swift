import ChangeRules
import DefinitionModel

/// A field in both definitions, possibly renamed.
struct FieldChange {
    let old: Field
    let new: Field
    let oldModel: Model
    let newModel: Model

    func differences(in pairs: DefinitionPairs) -> [Difference] {
        let isSameType = old.type.name == new.type.name
        let keepsValues = isSameType || isWidened
        return (old.name == new.name ? [] : [.fieldRenamed(self)])
            + (isSameType ? typeDifferences(in: pairs) : [.typeChanged(self)])
            + (isWidened ? limitsOfWholeNumbers : [])
            + requirement + uniqueness + (keepsValues ? defaults(in: pairs) : []) + descriptions
    }

    var isWidened: Bool { old.type.name.widens(to: new.type.name) }

    /// Limits that whole numbers may break now. Wider ones need no mention beside the type.
    private var limitsOfWholeNumbers: [Difference] {
        limitChanges(from: old.type, to: new.type).filter(\.isTighter)
            .map { .limitChanged($0, of: self) }
    }

    /// Differences of wording only. A renamed target of a relation is reported for the target
    /// model.
    func wording(in pairs: DefinitionPairs) -> [Difference] {
        let oldOptions = old.writtenOptions.map { option in
            option.name == "model"
                ? WrittenOption(
                    name: option.name, value: pairs.newName(ofModel: option.value),
                    place: option.place) : option
        }
        let isSame =
            old.writtenDefault == new.writtenDefault
            && written(oldOptions) == written(new.writtenOptions)
            && written(old.writtenExtensions) == written(new.writtenExtensions)
        return isSame ? [] : [.writtenOtherwise(self)]
    }

    private func typeDifferences(in pairs: DefinitionPairs) -> [Difference] {
        guard let oldRelation = old.relation, let newRelation = new.relation else {
            return limitChanges(from: old.type, to: new.type).map { .limitChanged($0, of: self) }
        }
        let hasSameTarget = pairs.newName(ofModel: oldRelation.model) == newRelation.model
        return
            (hasSameTarget
            ? [] : [.relationTargetChanged(self, from: oldRelation.model, to: newRelation.model)])
            + (oldRelation.analyzesConflict == newRelation.analyzesConflict
                ? [] : [.analyzeConflictChanged(self, to: newRelation.analyzesConflict)])
    }

    private var requirement: [Difference] {
        switch (old.isRequired, new.isRequired) {
        case (false, true): [.becameRequired(self)]
        case (true, false): [.becameOptional(self)]
        case (false, false), (true, true): []
        }
    }

    private var uniqueness: [Difference] {
        switch (old.isUnique, new.isUnique) {
        case (false, true): [.becameUnique(self)]
        case (true, false): [.ceasedToBeUnique(self)]
        case (false, false), (true, true): []
        }
    }

    private func defaults(in pairs: DefinitionPairs) -> [Difference] {
        switch (oldDefault, new.defaultValue) {
        case (nil, nil): []
        case (nil, .some): [.defaultAdded(self)]
        case (.some, nil):
            [.defaultRemoved(self, lockedFor: rolesThatCannotSet(in: pairs))]
        case (.some(let before), .some(let now)):
            before == now
                ? [] : [.defaultChanged(self, lockedFor: rolesThatCannotSet(in: pairs))]
        }
    }

    private var oldDefault: FieldValue? {
        guard isWidened, case .integer(let number)? = old.defaultValue else {
            return old.defaultValue
        }
        return .decimal(DecimalNumber(number))
    }

    /// Roles that may create records but may set the field to its default only.
    private func rolesThatCannotSet(in pairs: DefinitionPairs) -> [Role] {
        pairs.keptRoles.filter { role in
            let policy = pairs.newPolicy
            return policy.reach(of: role, to: .create, of: newModel.name) != .none
                && policy.reach(of: role, to: .create, field: new.name, of: newModel.name) == .none
        }
    }

    private var descriptions: [Difference] {
        (old.description == new.description ? [] : [.descriptionChanged(self)])
            + (old.name != new.name || old.renamedFrom == new.renamedFrom
                ? [] : [.earlierNamesChanged(self)])
            + (old.foreignName == new.foreignName || !old.hasAlias && !new.hasAlias
                ? [] : [.aliasChanged(self)])
    }
}
