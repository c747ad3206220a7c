import DefinitionModel

/// A dictionary by text, compared by bytes as the database does. Swift equates canonically
/// equivalent texts.
struct ByBytes<Value> {
    private var values: [ByteKey: Value] = [:]

    /// Keeps the first value of each text.
    init(_ found: [(text: String, value: Value)]) {
        for (text, value) in found where self[text] == nil { self[text] = value }
    }

    /// Unordered.
    var all: [Value] { Array(values.values) }

    subscript(_ text: String) -> Value? {
        get { values[ByteKey(text)] }
        set { values[ByteKey(text)] = newValue }
    }
}

/// Returns values by the text in the first column.
func byText<Value>(_ rows: Rows, _ value: (inout Row) throws -> Value) throws -> ByBytes<Value> {
    ByBytes(try rows.map { (try $0.text(), try value(&$0)) })
}

/// Groups values by the text in the first column, in the order of the rows.
func allByText<Value>(
    _ rows: Rows, _ value: (inout Row) throws -> Value
) throws -> ByBytes<[Value]> {
    var found = ByBytes<[Value]>([])
    for (text, value) in try rows.map({ (try $0.text(), try value(&$0)) }) {
        found[text, default: []].append(value)
    }
    return found
}

extension ByBytes {
    fileprivate subscript(_ text: String, default value: Value) -> Value {
        get { self[text] ?? value }
        set { self[text] = newValue }
    }
}
