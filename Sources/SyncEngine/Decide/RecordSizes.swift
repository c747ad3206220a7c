import JSON

/// The sizes of a record's fields as they are stored. To encode a large record for each of a
/// thousand changes would hold up other writers, so each value is measured once.
struct RecordSizes {
    /// The fields that count even if a change does not set them.
    let counted: Set<String>
    private var measured: [String: (value: JSONValue, bytes: Int)] = [:]

    init(counted: Set<String>) { self.counted = counted }

    /// The size of a field with a value, its name included; 0 for null.
    mutating func bytes(of name: String, _ value: JSONValue) -> Int {
        guard value != .null else { return 0 }
        // Equal values are mostly the same storage, which is compared at once.
        if let known = measured[name], known.value == value { return known.bytes }
        let bytes = name.storedNameBytes + JSONText.bytes(of: value)
        measured[name] = (value, bytes)
        return bytes
    }
}

extension String {
    /// The size of the name of a field, with the quotes, the colon and the comma around it.
    var storedNameBytes: Int { utf8.count + 4 }
}
