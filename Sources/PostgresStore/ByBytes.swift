/// Values by texts that are told apart by their bytes, as the database does. Swift takes two texts
/// for the same that only look so.
struct ByBytes<Value> {
    private var values: [[UInt8]: Value] = [:]

    /// The first one of each.
    init(_ found: [(text: String, value: Value)]) {
        for (text, value) in found where self[text] == nil { self[text] = value }
    }

    /// In no order.
    var all: [Value] { Array(values.values) }

    subscript(_ text: String) -> Value? {
        get { values[Array(text.utf8)] }
        set { values[Array(text.utf8)] = newValue }
    }

    /// Of the texts those that there are, by themselves. Of two that look the same the later one.
    func dictionary(of texts: some Sequence<String>) -> [String: Value] {
        var found: [String: Value] = [:]
        for text in texts {
            if let value = self[text] { found[text] = value }
        }
        return found
    }
}

/// By the text that each row begins with.
func byText<Value>(_ rows: Rows, _ value: (inout Row) throws -> Value) throws -> ByBytes<Value> {
    ByBytes(try rows.map { (try $0.text(), try value(&$0)) })
}

/// All that have the same one, in their order.
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
