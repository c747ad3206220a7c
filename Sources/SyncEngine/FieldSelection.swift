import AccessPolicy
import DefinitionModel
import SyncProtocol

/// The fields of a model's records that somebody sees, in the order of their bytes, ready to be cut
/// out of what is stored.
struct FieldSelection: Sendable {
    let names: [String]
    /// With quotes, as they stand in a JSON object.
    private let keys: [[UInt8]]

    init(_ names: some Sequence<String>) {
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        keys = self.names.map { name in
            var writer = JSONWriter()
            writer.string(name)
            return writer.bytes
        }
    }

    /// Each of the fields, null where the record has no value.
    func values(in text: String) throws(StoreError) -> [String: JSONValue] {
        let stored = try JSONText.fields(text)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, stored[$0] ?? .null) })
    }

    /// The same as JSON: values go out as they are stored, without a look into them.
    func write(_ text: String, to writer: inout JSONWriter) throws(StoreError) {
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            guard let members = members(of: utf8) else { return false }
            write(members, in: utf8, to: &writer)
            return true
        }
        guard isWritten else { throw .unreadable("stored fields are no JSON object") }
    }

    /// What is stored is mostly in the order of the names, so that each is the next one; and often
    /// it is just what is wanted.
    private func write(
        _ members: [JSONMember], in utf8: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) {
        guard !isAll(of: members, in: utf8) else { return writer.piece(utf8) }
        var next = 0
        for (number, key) in keys.enumerated() {
            writer.piece(number == 0 ? "{" : ",")
            writer.piece(key)
            writer.piece(":")
            let place =
                members[next...].firstIndex { isSame(utf8, $0.key, as: key) }
                ?? members[..<next].firstIndex { isSame(utf8, $0.key, as: key) }
            if let place {
                writer.piece(UnsafeBufferPointer(rebasing: utf8[members[place].value]))
                next = place
            } else {
                writer.piece("null")
            }
        }
        writer.piece(keys.isEmpty ? "{}" : "}")
    }

    private func isAll(of members: [JSONMember], in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        members.count == keys.count
            && members.indices.allSatisfy { isSame(utf8, members[$0].key, as: keys[$0]) }
    }
}

private func isSame(
    _ utf8: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, as bytes: [UInt8]
) -> Bool {
    range.count == bytes.count
        && bytes.withUnsafeBufferPointer { $0.elementsEqual(utf8[range]) }
}

/// Where a member of an object stands in its JSON.
struct JSONMember: Hashable {
    /// With its quotes.
    let key: Range<Int>
    let value: Range<Int>
}

/// Of an object in JSON without white space, as it is stored; nil for any other text.
func members(of utf8: UnsafeBufferPointer<UInt8>) -> [JSONMember]? {
    guard utf8.count >= 2, utf8.first == UInt8(ascii: "{"), utf8.last == UInt8(ascii: "}") else {
        return nil
    }
    var members: [JSONMember] = []
    var index = 1
    while index < utf8.count - 1 {
        guard let keyEnd = endOfString(in: utf8, from: index), keyEnd < utf8.count - 1,
            utf8[keyEnd] == UInt8(ascii: ":"),
            let valueEnd = endOfValue(in: utf8, from: keyEnd + 1)
        else { return nil }
        members.append(JSONMember(key: index..<keyEnd, value: keyEnd + 1..<valueEnd))
        let isLast = valueEnd == utf8.count - 1
        guard isLast || utf8[valueEnd] == UInt8(ascii: ",") else { return nil }
        index = isLast ? valueEnd : valueEnd + 1
        guard isLast || index < utf8.count - 1 else { return nil }
    }
    return members
}

/// After its closing quote.
private func endOfString(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard utf8[start] == UInt8(ascii: "\"") else { return nil }
    var index = start + 1
    while index < utf8.count {
        switch utf8[index] {
        case UInt8(ascii: "\""): return index + 1
        case UInt8(ascii: "\\"): index += 2
        default: index += 1
        }
    }
    return nil
}

/// Where the comma or the object's end is that follows it.
private func endOfValue(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    var depth = 0
    while index < utf8.count {
        switch utf8[index] {
        case UInt8(ascii: "\""):
            guard let end = endOfString(in: utf8, from: index) else { return nil }
            index = end
            continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ",") where depth == 0: return index > start ? index : nil
        case UInt8(ascii: "}") where depth == 0, UInt8(ascii: "]") where depth == 0:
            return index > start && index == utf8.count - 1 ? index : nil
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        index += 1
    }
    return nil
}
