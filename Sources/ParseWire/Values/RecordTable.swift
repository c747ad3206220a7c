import ForeignValues

/// A record, and the id that it is created with if its guid is not its id.
struct NamedRecord: Hashable, Sendable {
    let guid: String
    let name: String?
}

/// The records that ids stand for, looked up beforehand.
struct RecordTable: Sendable {
    private var records: [ParsePointer: NamedRecord] = [:]
    private let classNames: ClassNames

    init(_ classNames: ClassNames = ClassNames()) { self.classNames = classNames }

    func className(of model: String) -> String { classNames[model] }

    mutating func add(_ record: NamedRecord, of pointer: ParsePointer) {
        records[pointer] = record
    }

    subscript(pointer: ParsePointer) -> NamedRecord? { records[pointer] }

    /// Nil for an id that no record can have.
    func guid(of pointer: ParsePointer) -> String? { records[pointer]?.guid }
}
