import ChangeRules

extension QueryFilter {
    /// The same condition without lists of one, and without lists in lists of the same kind. Some
    /// clients wrap conditions deeper than the engine takes them.
    var flattened: QueryFilter {
        switch self {
        case .and(let parts):
            let flat = parts.map(\.flattened).flatMap { part in
                if case .and(let inner) = part { inner } else { [part] }
            }
            return flat.count == 1 ? flat[0] : .and(flat)
        case .or(let parts):
            let flat = parts.map(\.flattened).flatMap { part in
                if case .or(let inner) = part { inner } else { [part] }
            }
            return flat.count == 1 ? flat[0] : .or(flat)
        case .not(let part): return .not(part.flattened)
        case .compare, .among, .between, .like, .prefix, .null, .inside, .within, .computes:
            return self
        }
    }
}
