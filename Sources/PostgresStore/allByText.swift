import DefinitionModel

/// Groups values by the text in the first column, in the order of the rows. Texts are compared by
/// their bytes, as the database does.
func allByText<Value>(
    _ rows: Rows, _ value: (inout Row) throws -> Value
) throws -> [ByteKey: [Value]] {
    var found: [ByteKey: [Value]] = [:]
    for (text, value) in try rows.map({ (try $0.text(), try value(&$0)) }) {
        found[ByteKey(text), default: []].append(value)
    }
    return found
}

extension Dictionary where Key == ByteKey {
    /// Keeps the first value of each text.
    init(first found: [(text: String, value: Value)]) {
        self.init(
            found.map { (ByteKey($0.text), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
