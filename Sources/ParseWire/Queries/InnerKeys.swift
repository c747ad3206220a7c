import JSON

/// The keys that included objects have in an answer: `game.name` in `keys` or in `excludeKeys`.
///
/// Such a key includes the object. An object or array of JSON on the way stays whole, so that a
/// client that saves it again loses nothing of it.
struct InnerKeys: Hashable, Sendable {
    /// Each has a step at least.
    private var shown: [[String]] = []
    private var excluded: [[String]] = []

    /// Keys of one step are about no included object.
    init(shown: [[String]] = [], excluded: [[String]] = []) {
        self.shown = shown.filter { $0.count > 1 }
        self.excluded = excluded.filter { $0.count > 1 }
    }

    /// The paths of the objects that the keys are of.
    var includes: [[String]] { (shown + excluded).map { Array($0.dropLast()) } }

    /// The members of an object, with the included objects in them reduced to their keys.
    func applied(to members: [String: JSONValue]) -> [String: JSONValue] {
        guard !shown.isEmpty || !excluded.isEmpty else { return members }
        return members.reduce(into: [:]) { reduced, member in
            reduced[member.key] = after(member.key).applied(to: member.value)
        }
    }

    private func applied(to json: JSONValue) -> JSONValue {
        guard !shown.isEmpty || !excluded.isEmpty else { return json }
        switch json {
        case .array(let elements): return .array(elements.map(applied))
        case .object(let members) where members["__type"] == "Object":
            return .object(applied(to: members.filter { shows($0.key) }))
        case .object(let members) where members["__type"] == nil:
            return .object(applied(to: members))
        case .null, .boolean, .integer, .decimal, .string, .object, .unrepresentable: return json
        }
    }

    /// The keys that every answer has.
    static let always: Set<String> = [
        "objectId", "createdAt", "updatedAt", "__type", "className",
    ]

    private func shows(_ key: String) -> Bool {
        Self.always.contains(key)
            || (shown.isEmpty || shown.contains { $0.first == key }) && !excluded.contains([key])
    }

    private func after(_ key: String) -> InnerKeys {
        var keys = InnerKeys()
        keys.shown = shown.steps(after: key).filter { !$0.isEmpty }
        keys.excluded = excluded.steps(after: key).filter { !$0.isEmpty }
        return keys
    }
}
