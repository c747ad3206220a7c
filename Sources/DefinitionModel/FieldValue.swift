import JSON

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
        haveSameBytes(self, other)
    }
}
