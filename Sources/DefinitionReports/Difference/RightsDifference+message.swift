import DefinitionModel

extension RightsDifference {
    /// Such as "'users-mobile' may no longer read 'director' of 'film' of others in their group".
    package var message: String {
        let word = effect == .gained ? "may now" : "may no longer"
        return "\(quotedList(roles.map(\.name))) \(word) \(action)"
    }

    private var action: String {
        let plain = operations.filter { $0 != .resolve }.map(\.rawValue)
        let subject = quotedList(models)
        guard fields.isEmpty else {
            return "\(listed(plain)) \(quotedList(fields)) of \(subject)\(ownerPhrase)"
        }
        guard operations.contains(.resolve) else {
            return "\(listed(plain)) records of \(subject)\(ownerPhrase)\(withFields)"
        }
        guard !plain.isEmpty else { return "resolve conflicts of \(subject)\(ownerPhrase)" }
        return "\(listed(plain)) records of \(subject)\(ownerPhrase)\(withFields), and resolve "
            + "their conflicts"
    }

    private var withFields: String {
        guard operations.contains(where: Operation.ofFields.contains) else { return "" }
        switch fieldsGained {
        case .none: return ""
        case .every: return ", with every field"
        case .some(let gained, let missing):
            if gained.isEmpty { return ", without any field" }
            return gained.count > missing.count
                ? ", with every field but \(quotedList(missing))" : ", with \(quotedList(gained))"
        }
    }

    /// Empty if all records are concerned.
    private var ownerPhrase: String {
        let words = owners.quotedList
        return words.isEmpty ? "" : words.map { " of \($0)" }.joined(separator: " and")
    }
}

extension Set<RecordOwner> {
    fileprivate var quotedList: [String] {
        let (own, moved) = (contains(.own), contains(.moved))
        let (group, other) = (contains(.group), contains(.other))
        return switch (own, moved, group, other) {
        case (true, true, true, true): []
        case (true, false, true, false): ["their group"]
        case (false, true, false, true): ["other groups"]
        case (_, _, _, _):
            [ownDescription(own, moved), othersDescription(group, other)].compactMap { $0 }
        }
    }
}

private func ownDescription(_ own: Bool, _ moved: Bool) -> String? {
    switch (own, moved) {
    case (true, true): "their own"
    case (true, false): "their own in their group"
    case (false, true): "their own from another group"
    case (false, false): nil
    }
}

private func othersDescription(_ group: Bool, _ other: Bool) -> String? {
    switch (group, other) {
    case (true, true): "others"
    case (true, false): "others in their group"
    case (false, true): "others outside their group"
    case (false, false): nil
    }
}
