/// A non-null value of a field. Null is represented by the absence of a value.
///
/// Texts are equal if their bytes are. Swift's `==` treats composed and decomposed forms of a
/// character as equal, so an edit from one form to the other would be lost.
package enum FieldValue: Sendable {
    case text(String)
    case integer(Int64)
    case decimal(DecimalNumber)
    case boolean(Bool)
    /// Milliseconds since 1970 in UTC.
    case date(milliseconds: Int64)
    /// The guid of the record that this one belongs to.
    case reference(guid: String)
    case file(FileValue)
}

/// A reference to a file: its guid and its name.
package struct FileValue: Sendable {
    package let guid: String
    package let filename: String

    package init(guid: String, filename: String) {
        self.guid = guid
        self.filename = filename
    }
}

extension FieldValue: Hashable {
    package static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.reference(let left), .reference(let right)): left.hasSameBytes(as: right)
        case (.file(let left), .file(let right)): left == right
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _),
            (.reference, _), (.file, _):
            false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(text)
        case .integer(let number): hasher.combine(number)
        case .decimal(let number): hasher.combine(number)
        case .boolean(let flag): hasher.combine(flag)
        case .date(let milliseconds): hasher.combine(milliseconds)
        case .reference(let guid): hasher.combine(guid)
        case .file(let file): hasher.combine(file)
        }
    }
}

extension FileValue: Hashable {
    package static func == (left: FileValue, right: FileValue) -> Bool {
        left.guid.hasSameBytes(as: right.guid) && left.filename.hasSameBytes(as: right.filename)
    }
}

extension String {
    /// Byte equality, where `==` also treats canonically equivalent texts as equal.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                haveSameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        return areSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}

/// Compares eight bytes at once. The buffers must have the same length.
private func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool
{
    var index = 0
    while index + 8 <= left.count {
        guard
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        else { return false }
        index += 8
    }
    while index < left.count {
        guard left[index] == right[index] else { return false }
        index += 1
    }
    return true
}
