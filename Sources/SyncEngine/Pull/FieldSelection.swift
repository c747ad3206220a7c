import AccessPolicy
import ChangeRules
import DefinitionModel
import Foundation
package import JSON

/// The fields of a model that an asker sees, in byte order of their names. It copies the fields
/// from stored JSON.
package struct FieldSelection: Hashable, Sendable {
    package let names: [String]
    /// The names as JSON strings, including the quotes.
    private let keys: [[UInt8]]
    /// Everything that an object has before each value: the brace or comma, the key and the colon.
    private let beginnings: [[UInt8]]

    package init(_ names: some Sequence<String>) {
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        keys = self.names.map { name in
            var writer = JSONWriter()
            writer.string(name)
            return writer.bytes
        }
        beginnings = keys.enumerated().map { number, key in
            [UInt8(ascii: number == 0 ? "{" : ",")] + key + [UInt8(ascii: ":")]
        }
    }

    /// Returns a value for each field, null if the record has none.
    func values(in text: String) throws(StoreError) -> [String: JSONValue] {
        let stored = try JSONText.fields(text)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, stored[$0] ?? .null) })
    }

    /// Writes the fields as a JSON object. It copies the stored values without parsing them.
    package func write(
        _ utf8: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) throws(StoreError) {
        if isWhole(utf8) { return writer.piece(utf8) }
        guard let members = members(of: utf8) else {
            throw .unreadable("stored fields are no JSON object")
        }
        write(members, in: utf8, to: &writer)
    }

    /// Sets the range of the value of each name in the stored JSON, an empty one where there is
    /// none. Returns false if the text is no object.
    func find(
        _ utf8: UnsafeBufferPointer<UInt8>, placing places: UnsafeMutableBufferPointer<Range<Int>>
    ) -> Bool {
        guard keys.count > 4 else { return findFew(utf8, placing: places) }
        guard let members = members(of: utf8) else { return false }
        forEachValue(among: members, in: utf8) { places[$0] = $1 ?? 0..<0 }
        return true
    }

    /// Finds a few fields while it reads the members, without a list of them.
    private func findFew(
        _ utf8: UnsafeBufferPointer<UInt8>, placing places: UnsafeMutableBufferPointer<Range<Int>>
    ) -> Bool {
        places.update(repeating: 0..<0)
        return forEachMember(of: utf8) { member in
            let number = keys.indices.first {
                places[$0].isEmpty && isSame(utf8, member.key, as: keys[$0])
            }
            if let number { places[number] = member.value }
        }
    }

    /// Returns the size of the stored fields as a JSON object, null values left out. It is that of
    /// the whole text if nothing else is stored.
    func storedBytes(in utf8: UnsafeBufferPointer<UInt8>) throws(StoreError) -> Int {
        if isWhole(utf8) { return utf8.count }
        guard let members = members(of: utf8) else {
            throw .unreadable("stored fields are no JSON object")
        }
        let shown = members.filter { member in
            keys.contains { isSame(utf8, member.key, as: $0) }
        }
        return shown.reduce(1 + max(1, shown.count)) { $0 + $1.key.count + 1 + $1.value.count }
    }

    /// Whether the text is an object with exactly these fields in this order. It can then be copied
    /// as a whole, which is the usual case. `places` gets the range of each value until the answer
    /// is known.
    func isWhole(
        _ utf8: UnsafeBufferPointer<UInt8>,
        placing places: UnsafeMutableBufferPointer<Range<Int>>? = nil
    ) -> Bool {
        guard isObject(utf8) else { return false }
        var index = 1
        for number in keys.indices {
            let keyEnd = index + keys[number].count
            guard isSame(utf8, index..<keyEnd, as: keys[number]),
                let end = endOfMember(in: utf8, keyEnd: keyEnd)
            else { return false }
            if let places { places[number] = keyEnd + 1..<end }
            index = end + 1
        }
        return index == utf8.count && !keys.isEmpty
    }

    private func write(
        _ members: [JSONMember], in utf8: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) {
        forEachValue(among: members, in: utf8) { number, value in
            writer.piece(beginnings[number])
            if let value {
                writer.piece(UnsafeBufferPointer(rebasing: utf8[value]))
            } else {
                writer.piece("null")
            }
        }
        writer.piece(keys.isEmpty ? "{}" : "}")
    }

    /// Stored fields are usually in the order of the names, so each search starts at the previous
    /// field.
    private func forEachValue(
        among members: [JSONMember], in utf8: UnsafeBufferPointer<UInt8>,
        _ take: (Int, Range<Int>?) -> Void
    ) {
        var next = 0
        for number in keys.indices {
            let place = place(of: keys[number], among: members, in: utf8, from: next)
            if let place { next = place + 1 }
            take(number, place.map { members[$0].value })
        }
    }

    /// Searches from an index on, then before it.
    private func place(
        of key: [UInt8], among members: [JSONMember], in utf8: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int? {
        var place = start
        for _ in members {
            if place >= members.count { place = 0 }
            if isSame(utf8, members[place].key, as: key) { return place }
            place += 1
        }
        return nil
    }
}

private func isSame(
    _ utf8: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, as bytes: [UInt8]
) -> Bool {
    guard range.count == bytes.count, range.upperBound <= utf8.count, let start = utf8.baseAddress
    else { return false }
    return memcmp(start + range.lowerBound, bytes, bytes.count) == 0
}

/// The ranges of an object's member in its JSON text.
struct JSONMember: Hashable {
    /// The range of the key, including the quotes.
    let key: Range<Int>
    let value: Range<Int>
}

/// Returns the members of a JSON object without white space, as it is stored, or nil for other
/// text.
func members(of utf8: UnsafeBufferPointer<UInt8>) -> [JSONMember]? {
    var members: [JSONMember] = []
    members.reserveCapacity(32)
    return forEachMember(of: utf8) { members.append($0) } ? members : nil
}

/// Calls `visit` with each member, until it finds that the text is no JSON object as it is stored.
/// Returns false for such a text.
private func forEachMember(
    of utf8: UnsafeBufferPointer<UInt8>, _ visit: (JSONMember) -> Void
) -> Bool {
    guard isObject(utf8) else { return false }
    var index = 1
    while index < utf8.count - 1 {
        guard let member = member(of: utf8, from: index) else { return false }
        visit(member)
        index = member.value.upperBound + 1
        // The last member must end where the object ends; after a comma another member must follow.
        guard index != utf8.count - 1 else { return false }
    }
    return true
}

private func isObject(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.count >= 2 && utf8[0] == UInt8(ascii: "{") && utf8[utf8.count - 1] == UInt8(ascii: "}")
}

/// Returns the member that starts at an index. Returns nil unless a comma or the end of the object
/// follows it.
private func member(of utf8: UnsafeBufferPointer<UInt8>, from index: Int) -> JSONMember? {
    guard index < utf8.count - 1, let keyEnd = endOfString(in: utf8, from: index),
        let valueEnd = endOfMember(in: utf8, keyEnd: keyEnd)
    else { return nil }
    return JSONMember(key: index..<keyEnd, value: keyEnd + 1..<valueEnd)
}

/// Returns the index of the comma or the closing brace after a member.
private func endOfMember(in utf8: UnsafeBufferPointer<UInt8>, keyEnd: Int) -> Int? {
    guard keyEnd < utf8.count - 1, utf8[keyEnd] == UInt8(ascii: ":"),
        let valueEnd = endOfValue(in: utf8, from: keyEnd + 1),
        valueEnd == utf8.count - 1 || utf8[valueEnd] == UInt8(ascii: ",")
    else { return nil }
    return valueEnd
}

/// Returns the index after the closing quote, which is the first unescaped one.
private func endOfString(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = utf8.baseAddress, utf8[start] == UInt8(ascii: "\"") else { return nil }
    var index = start + 1
    while index < utf8.count {
        guard let found = memchr(base + index, Int32(UInt8(ascii: "\"")), utf8.count - index)
        else { return nil }
        let quote = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        if !isEscaped(quote, in: utf8, after: start) { return quote + 1 }
        index = quote + 1
    }
    return nil
}

/// Whether an odd number of backslashes precedes the index.
private func isEscaped(
    _ place: Int, in utf8: UnsafeBufferPointer<UInt8>, after start: Int
) -> Bool {
    var index = place - 1
    while index > start, utf8[index] == UInt8(ascii: "\\") { index -= 1 }
    return (place - index).isMultiple(of: 2)
}

/// Returns the index of the comma or the closing brace after a value. Most values are strings or
/// null.
private func endOfValue(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    switch utf8[start] {
    case UInt8(ascii: "\""):
        guard let close = endOfString(in: utf8, from: start) else { return nil }
        end = close
    case UInt8(ascii: "n"): end = start + 4
    default: break
    }
    if end > start, end < utf8.count,
        utf8[end] == UInt8(ascii: ",") || end == utf8.count - 1
    {
        return end
    }
    return endOfOtherValue(in: utf8, from: start)
}

private func endOfOtherValue(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    var depth = 0
    while index < utf8.count {
        let byte = utf8[index]
        switch byte {
        // Numbers, true, false and null. Nearly all bytes are in these two ranges.
        case UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): break
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
