import ChangeRules
import DefinitionModel
import SyncEngine

/// A record whose values can be stored, as far as replaced characters and shorter names do it: its
/// client would send the same again for ever.
struct RepairedRecord: Sendable {
    let record: FullRecord
    /// The replaced values.
    let originals: [String: GivenValue]

    init(_ given: FullRecord) {
        var record = given
        var originals: [String: GivenValue] = [:]
        for (name, value) in given.fields {
            guard let repaired = value.repaired else { continue }
            originals[name] = value
            record.fields[name] = repaired
        }
        self.record = record
        self.originals = originals
    }

    /// The faults of the original value of a field.
    func causes(
        in field: String, under rules: Rules, within budget: inout PatternBudget
    ) -> [Cause] {
        guard case .value(let value) = originals[field],
            let field = rules.model(named: record.model)?.field(named: field)
        else { return [] }
        return field.type.violations(of: value, within: &budget).map {
            Cause(.limit($0), field: field.name, place: field.place)
        }
    }
}

extension GivenValue {
    /// Nil for a value that needs no repair.
    fileprivate var repaired: GivenValue? {
        guard case .value(let value) = self else { return nil }
        return value.repaired.map { .value($0) }
    }
}

extension FieldValue {
    fileprivate var repaired: FieldValue? {
        switch self {
        case .text(let text):
            guard text.utf8.contains(0) else { return nil }
            return .text(String(String.UnicodeScalarView(text.unicodeScalars.map(\.withoutNUL))))
        case .file(let file):
            let name = repairedFileName(file.filename)
            guard !name.hasSameBytes(as: file.filename) else { return nil }
            return .file(FileValue(guid: file.guid, filename: name))
        case .integer, .decimal, .boolean, .date, .reference: return nil
        }
    }
}

extension UnicodeScalar {
    /// U+FFFD in place of U+0000.
    fileprivate var withoutNUL: UnicodeScalar { value == 0 ? "\u{FFFD}" : self }
}

/// Returns a name that a file may have: slashes and control characters become underscores, and a
/// name that is too long loses the end of its stem.
func repairedFileName(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.value < 0x20 || $0 == "/" ? "_" : $0 }
    let legal = String(String.UnicodeScalarView(scalars))
    let max = FileValue.maxNameBytes
    guard legal.utf8.count > max else { return legal }
    let ending = ending(of: scalars)
    let room = max - String(String.UnicodeScalarView(ending)).utf8.count
    var stem = String.UnicodeScalarView()
    var size = 0
    for scalar in scalars {
        size += UTF8.width(scalar)
        guard size <= room else { break }
        stem.append(scalar)
    }
    return String(stem + ending)
}

/// Returns the extension of a file name, such as `.jpeg`; empty if there is none.
private func ending(of name: [UnicodeScalar]) -> [UnicodeScalar] {
    let ending = name.suffix(16)
    return ending.lastIndex(of: ".").map { Array(ending[$0...]) } ?? []
}
