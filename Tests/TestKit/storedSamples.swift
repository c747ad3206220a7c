package import DefinitionModel
package import SyncEngine

extension NewVersion {
    package static func test(
        _ name: String = "version", deployedAt milliseconds: Int64 = 1, instance: String = "i",
        replacesInstance: Bool = false,
        adaptation: Adaptation = Adaptation(to: .test(), after: [], until: 0)
    ) -> NewVersion {
        NewVersion(
            digest: "digest", fingerprint: name, source: Array(name.utf8),
            deployedAt: Instant(milliseconds: milliseconds), instance: instance,
            replacesInstance: replacesInstance, adaptation: adaptation)
    }
}

extension Definition {
    /// A schema with one model, its unique text fields, and other fields by their names and former
    /// names.
    package static func test(
        _ model: String = "Note", before earlier: [String] = [], unique: [String] = [],
        others: [String: [String]] = [:]
    ) -> Definition {
        let place = SourcePlace(line: 1, column: 1)
        let names = others.merging(unique.map { ($0, []) }) { earlier, _ in earlier }
        let fields = names.sorted { $0.key < $1.key }.map { name, earlier in
            Field(
                name: name, renamedFrom: earlier, type: .text(TextLimits()), isRequired: false,
                isUnique: unique.contains(name), defaultValue: nil, credentials: [:],
                writtenOptions: [], writtenDefault: nil, place: place)
        }
        return Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [],
            groups: [], roles: [],
            models: [
                Model(
                    name: model, renamedFrom: earlier, fields: fields, credentials: [:],
                    place: place)
            ], digest: "digest")
    }
}

extension DeviceKey {
    package static let test = DeviceKey(login: "a", deviceIdentifier: "phone")
}

extension StoredRecord {
    package static func test(
        _ guid: String, revision: Int64 = 1, deleted: Bool = false, conflicted: Bool = false,
        fieldsText: String = "{}"
    ) -> StoredRecord {
        StoredRecord(
            guid: guid, model: "Note", owner: "a", group: "users", revision: revision,
            isDeleted: deleted, isConflicted: conflicted, fieldsText: fieldsText)
    }
}

extension HistoryEntry {
    package static func test(
        _ guid: String, revision: Int64, kind: Kind = .updated, fieldsText: String = "{\"x\":1}"
    ) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: kind, changeID: "c\(revision)", login: "a",
            deviceCategory: "mobile", deviceIdentifier: "phone",
            at: Instant(milliseconds: revision), wasDeleted: false, fieldsText: fieldsText)
    }
}

extension WriteSet {
    package init(records: [StoredRecord]) {
        self.init()
        self.records = records
    }
}
