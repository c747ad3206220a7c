import DefinitionModel

extension RightsDifference {
    /// "'users-mobile' may no longer read 'director' of 'film' of others in their group"
    package var message: String {
        let word = effect == .gained ? "may now" : "may no longer"
        return "\(inWords(roles.map(\.name))) \(word) \(action)"
    }

    private var action: String {
        let plain = operations.filter { $0 != .resolve }.map(\.rawValue)
        let subject = inWords(models)
        guard fields.isEmpty else {
            return "\(listed(plain)) \(inWords(fields)) of \(subject)\(whose)"
        }
        guard operations.contains(.resolve) else {
            return "\(listed(plain)) records of \(subject)\(whose)\(withFields)"
        }
        guard !plain.isEmpty else { return "resolve conflicts of \(subject)\(whose)" }
        return "\(listed(plain)) records of \(subject)\(whose)\(withFields), and resolve their "
            + "conflicts"
    }

    private var withFields: String {
        guard operations.contains(where: Operation.ofFields.contains) else { return "" }
        switch fieldsGained {
        case .none: return ""
        case .every: return ", with every field"
        case .some(let gained, let missing):
            if gained.isEmpty { return ", without any field" }
            return gained.count > missing.count
                ? ", with every field but \(inWords(missing))" : ", with \(inWords(gained))"
        }
    }

    /// Nothing where the records of all are meant.
    private var whose: String {
        let words = owners.inWords
        return words.isEmpty ? "" : words.map { " of \($0)" }.joined(separator: " and")
    }
}

extension Set<RecordOwner> {
    fileprivate var inWords: [String] {
        let (own, moved) = (contains(.own), contains(.moved))
        let (group, other) = (contains(.group), contains(.other))
        return switch (own, moved, group, other) {
        case (true, true, true, true): []
        case (true, false, true, false): ["their group"]
        case (false, true, false, true): ["other groups"]
        case (_, _, _, _):
            [ownInWords(own, moved), othersInWords(group, other)].compactMap { $0 }
        }
    }
}

private func ownInWords(_ own: Bool, _ moved: Bool) -> String? {
    switch (own, moved) {
    case (true, true): "their own"
    case (true, false): "their own in their group"
    case (false, true): "their own from another group"
    case (false, false): nil
    }
}

private func othersInWords(_ group: Bool, _ other: Bool) -> String? {
    switch (group, other) {
    case (true, true): "others"
    case (true, false): "others in their group"
    case (false, true): "others outside their group"
    case (false, false): nil
    }
}
