import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncProtocol
import Testing

@testable import SyncEngine

/// A stored record before and after a deployment. Definitions are written as `packet<box: label<tag
/// TEXT, mass DECIMAL`: one model per line, with earlier names after `<`.
struct RenamingCase: Sendable, CustomStringConvertible {
    let description: String
    /// In the order of deployment. Nothing was stored under versions that begin with `-`.
    let versions: [String]
    let new: String
    /// `packet {"label":"x"}`.
    let stored: String
    let adapted: String
}

@Suite("Stored data has the names and types of the current version")
struct RenamingTests {
    @Test(arguments: models + fields + histories + types)
    func recordIsFoundUnderItsNewNames(example: RenamingCase) throws {
        let adaptation = try adaptation(to: example.new, after: example.versions)
        let record = record(example.stored)
        let adapted = try adaptation.adapted(record)
        #expect("\(adapted.record.model) \(adapted.record.fieldsText)" == example.adapted)
        if example.adapted != example.stored { #expect(adaptation.readsRecords) }
        var same = adapted.record
        (same.model, same.fieldsText) = (record.model, record.fieldsText)
        #expect(same == record, "nothing else is touched, the revision least of all")
    }

    /// `renamedFrom` may stay in later versions.
    @Test(arguments: [
        (["packet: label TEXT"], "packet: label TEXT, note TEXT"),
        (
            ["packet: label TEXT", "parcel<packet: code<label TEXT"],
            "parcel<packet: code<label TEXT, note TEXT"
        ),
        (["packet: label TEXT"], "box<crate: label TEXT"), ([], "parcel<packet: code<label TEXT"),
    ])
    func deploymentWithoutRenamingReadsNoRecord(versions: [String], new: String) throws {
        let adaptation = try adaptation(to: new, after: versions)
        #expect(!adaptation.readsRecords && !adaptation.renewsHolders)
    }

    /// A null in an entry means that the field had no value, so it is renamed like a value.
    @Test func entryOfHistoryIsRenamedWithItsNulls() throws {
        let adaptation = try adaptation(
            to: "parcel<packet: code<label TEXT, note TEXT",
            after: ["packet: label TEXT, note TEXT"])
        let texts = [
            #"{"label":null,"note":"n"}"#: #"{"code":null,"note":"n"}"#, #"{}"#: #"{}"#,
            #"{"note":null}"#: #"{"note":null}"#,
        ]
        for (text, adapted) in texts {
            #expect(try adaptation.adaptedFields(text, of: "packet") == adapted)
            #expect(try adaptation.adaptedFields(text, of: "other") == text)
        }
        #expect(try adaptation.adapted(record("packet {}")).changesFields)
        #expect(try !adaptation.adapted(record("other {}")).changesFields)
    }

    @Test func pastHasTheNewType() throws {
        let adaptation = try adaptation(
            to: "packet: size DECIMAL", after: ["packet: size INTEGER"])
        #expect(adaptation.renewsHolders)
        #expect(try adaptation.adapted(record("packet {}")).changesFields)
        #expect(
            try adaptation.adaptedFields(#"{"size":7}"#, of: "packet") == #"{"size":"7"}"#)
        let conflict = { (size: JSONValue) in
            RecordConflict(
                revision: 3, baseRevision: 1,
                base: .init(isDeleted: false, fields: ["size": .null]),
                mine: .init(
                    isDeleted: false, fields: ["size": size], login: "b", deviceCategory: "desk",
                    at: 7),
                theirs: .init(isDeleted: false, fields: ["size": size]))
        }
        #expect(
            try adaptation.adaptedConflict(StoredConflict.text(of: conflict(7)), of: "packet")
                == StoredConflict.text(of: conflict("7")))
    }

    @Test func allSidesOfConflictAreRenamed() throws {
        let adaptation = try adaptation(
            to: "packet: code<label TEXT", after: ["packet: label TEXT"])
        let conflict = { (name: String) in
            RecordConflict(
                revision: 3, baseRevision: 1,
                base: .init(isDeleted: false, fields: [name: .null]),
                mine: .init(
                    isDeleted: true, fields: [name: "b"], login: "b", deviceCategory: "desk",
                    at: 7),
                theirs: .init(isDeleted: false, fields: [name: "a"]))
        }
        #expect(
            try adaptation.adaptedConflict(
                StoredConflict.text(of: conflict("label")), of: "packet")
                == StoredConflict.text(of: conflict("code")))
    }

    /// In the second case the unique fields are the same before and after.
    @Test(arguments: ["packet: label TEXT", "packet: label TEXT\nparcel: code! TEXT"])
    func uniqueValuesAreReadUnderTheNewNames(version: String) throws {
        let adaptation = try adaptation(
            to: "parcel<packet: code!<label TEXT", after: [version])
        let record = record(#"packet {"label":"x"}"#)
        #expect(adaptation.renewsHolders)
        #expect(
            try adaptation.adapted(record).uniqueValues
                == [UniqueValue(model: "parcel", field: "code", text: "x")])
        var deleted = record
        deleted.isDeleted = true
        #expect(try adaptation.adapted(deleted).uniqueValues == [])
    }

    @Test(arguments: clashes)
    func valuesOfAnotherTypeAreFoundUnderAnyName(
        versions: [String], new: String, expected: [String]
    ) throws {
        let names = StoredNames(of: try deployed(versions), until: Int64(versions.count))
        let found = names.typeClashes(with: try definition(new)).map {
            "\($0.storedModel).\($0.storedField) \($0.old.rawValue), "
                + "\($0.model).\($0.field) \($0.new.rawValue)"
        }
        #expect(found == expected)
    }

    /// Values may have been stored under a version from before this was recorded.
    @Test func versionOfWhichNothingIsKnownCounts() throws {
        let old = DeployedDefinition(try definition("packet: label TEXT"), sequence: nil)
        for sequence: Int64 in [0, 1] {
            let names = StoredNames(of: [old], until: sequence)
            #expect(names.models.keys.sorted() == (sequence == 0 ? [] : ["packet"]))
        }
    }
}

// MARK: - Cases

private let models = [
    RenamingCase(
        description: "a model", versions: ["packet: label TEXT"], new: "parcel<packet: label TEXT",
        stored: #"packet {"label":"x"}"#, adapted: #"parcel {"label":"x"}"#),
    RenamingCase(
        description: "none of another", versions: ["packet: label TEXT\nbox: label TEXT"],
        new: "parcel: label TEXT\nbox: label TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"packet {"label":"x"}"#),
    RenamingCase(
        description: "who skipped a version", versions: ["packet: label TEXT", "box: size TEXT"],
        new: "parcel<bundle packet: code<label TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"parcel {"code":"x"}"#),
    RenamingCase(
        description: "once is enough",
        versions: ["packet: label TEXT", "parcel<packet: code<label TEXT"],
        new: "parcel<packet: code<label TEXT, note TEXT", stored: #"parcel {"code":"x"}"#,
        adapted: #"parcel {"code":"x"}"#),
    RenamingCase(
        description: "back and forth",
        versions: ["packet: label TEXT", "parcel<packet: label TEXT", "packet: label TEXT"],
        new: "parcel<packet: label TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"parcel {"label":"x"}"#),
    RenamingCase(
        description: "two become one", versions: ["packet: label TEXT\nbox: name TEXT, code TEXT"],
        new: "parcel<packet box: code<label name TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"parcel {"code":"x"}"#),
    RenamingCase(
        description: "two become one, the other of them",
        versions: ["packet: label TEXT\nbox: name TEXT"],
        new: "parcel<packet box: code<label name TEXT", stored: #"box {"name":"x"}"#,
        adapted: #"parcel {"code":"x"}"#),
]

private let fields = [
    RenamingCase(
        description: "a field, among others",
        versions: ["packet: label TEXT, mass DECIMAL, note TEXT"],
        new: "packet: code<label TEXT, mass DECIMAL",
        stored: #"packet {"gone":1,"label":"x","mass":"1.5","note":"n"}"#,
        adapted: #"packet {"code":"x","gone":1,"mass":"1.5","note":"n"}"#),
    RenamingCase(
        description: "no field of another model", versions: ["packet: label TEXT, note TEXT"],
        new: "packet: code<label TEXT\nbox<crate: size TEXT", stored: #"box {"note":"n"}"#,
        adapted: #"box {"note":"n"}"#),
    RenamingCase(
        description: "in two steps", versions: ["packet: tag TEXT", "packet: label<tag TEXT"],
        new: "packet: code<label tag TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "both steps at once", versions: ["packet: tag TEXT"],
        new: "packet: code<label tag TEXT", stored: #"packet {"tag":"x"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "a new field of the old name",
        versions: ["packet: label TEXT", "packet: code<label TEXT"],
        new: "packet: code TEXT, label TEXT", stored: #"packet {"code":"x"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "the name of another that is renamed too",
        versions: ["packet: label TEXT, note TEXT"],
        new: "packet: code<label TEXT, text<note TEXT",
        stored: #"packet {"label":"x","note":"n"}"#, adapted: #"packet {"code":"x","text":"n"}"#),
]

/// Records with values under several names: the value under the last name counts.
private let histories = [
    RenamingCase(
        description: "its name was that of another field long ago",
        versions: ["packet: code TEXT", "packet: label TEXT"], new: "packet: code<label TEXT",
        stored: #"packet {"code":"old","label":"x"}"#, adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "what has no value gets none from long ago",
        versions: ["packet: code TEXT", "packet: label TEXT"], new: "packet: code<label TEXT",
        stored: #"packet {"code":"old"}"#, adapted: #"packet {}"#),
    RenamingCase(
        description: "said a version too late",
        versions: ["packet: label TEXT", "packet: code TEXT"],
        new: "packet: code<label TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "said too late, and it has another value by now",
        versions: ["packet: label TEXT", "packet: code TEXT"], new: "packet: code<label TEXT",
        stored: #"packet {"code":"y","label":"x"}"#, adapted: #"packet {"code":"y"}"#),
    RenamingCase(
        description: "said too late, but nothing was written meanwhile",
        versions: ["packet: code TEXT", "packet: label TEXT", "-packet: code TEXT"],
        new: "packet: code<label TEXT", stored: #"packet {"code":"old","label":"x"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "two fields become one", versions: ["packet: code TEXT, label TEXT"],
        new: "packet: code<label TEXT", stored: #"packet {"code":"x","label":"y"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "renamed, back, and renamed again",
        versions: ["packet: tag TEXT", "packet: label<tag TEXT", "packet: tag TEXT"],
        new: "packet: label<tag TEXT", stored: #"packet {"label":"x"}"#,
        adapted: #"packet {"label":"x"}"#),
    RenamingCase(
        description: "the same, with another value meanwhile",
        versions: ["packet: tag TEXT", "packet: label<tag TEXT", "packet: tag TEXT"],
        new: "packet: label<tag TEXT", stored: #"packet {"label":"x","tag":"y"}"#,
        adapted: #"packet {"label":"y"}"#),
    RenamingCase(
        description: "of several the last one",
        versions: ["packet: tag TEXT", "packet: label TEXT"],
        new: "packet: code<tag label TEXT", stored: #"packet {"label":"x","tag":"y"}"#,
        adapted: #"packet {"code":"x"}"#),
    RenamingCase(
        description: "and else the one before",
        versions: ["packet: tag TEXT", "packet: label TEXT"],
        new: "packet: code<label tag TEXT", stored: #"packet {"tag":"y"}"#,
        adapted: #"packet {"code":"y"}"#),
]

private let types = [
    RenamingCase(
        description: "a whole number becomes a decimal",
        versions: ["packet: size INTEGER, mass DECIMAL, count INTEGER"],
        new: "packet: size DECIMAL, mass DECIMAL, count INTEGER",
        stored: #"packet {"count":1,"mass":"1.5","size":-2}"#,
        adapted: #"packet {"count":1,"mass":"1.5","size":"-2"}"#),
    RenamingCase(
        description: "under another name, a unique one", versions: ["packet: size! INTEGER"],
        new: "parcel<packet: mass!<size DECIMAL",
        stored: #"packet {"size":9223372036854775807}"#,
        adapted: #"parcel {"mass":"9223372036854775807"}"#),
    RenamingCase(
        description: "no value stays none", versions: ["packet: size INTEGER, note TEXT"],
        new: "packet: size DECIMAL, note TEXT", stored: #"packet {"note":"n","size":null}"#,
        adapted: #"packet {"note":"n","size":null}"#),
    RenamingCase(
        description: "once is enough", versions: ["packet: size INTEGER", "packet: size DECIMAL"],
        new: "packet: size DECIMAL, note TEXT", stored: #"packet {"size":"2.5"}"#,
        adapted: #"packet {"size":"2.5"}"#),
    RenamingCase(
        description: "after a version without the field",
        versions: ["packet: size INTEGER", "packet: note TEXT"], new: "packet: size DECIMAL",
        stored: #"packet {"size":7}"#, adapted: #"packet {"size":"7"}"#),
    RenamingCase(
        description: "together with a decimal",
        versions: ["packet: size INTEGER", "packet: mass DECIMAL"],
        new: "packet: mass<size DECIMAL", stored: #"packet {"size":7}"#,
        adapted: #"packet {"mass":"7"}"#),
]

private let clashes: [([String], String, [String])] = [
    (["packet: label TEXT"], "packet: label TEXT", []),
    (["packet: label TEXT"], "packet: label DATE", ["packet.label TEXT, packet.label DATE"]),
    (
        ["packet: label TEXT"], "parcel<packet: code<label DATE",
        ["packet.label TEXT, parcel.code DATE"]
    ),
    (["packet: label TEXT"], "parcel: label DATE\nbox: label INTEGER", []),
    (["packet: label TEXT", "parcel<packet: code<label TEXT"], "packet: label DATE", []),
    (
        ["packet: label TEXT", "parcel<packet: code<label TEXT"], "parcel: code TEXT, label DATE",
        []
    ),
    (
        ["packet: label TEXT", "parcel<packet: code<label TEXT"], "parcel: code DATE",
        ["parcel.code TEXT, parcel.code DATE"]
    ),
    (
        ["packet: label TEXT", "packet: size TEXT"], "packet: label DATE",
        ["packet.label TEXT, packet.label DATE"]
    ),
    (["-packet: label TEXT", "packet: label DATE"], "packet: label DATE, note TEXT", []),
    (["packet: code DATE", "packet: label TEXT"], "packet: code<label TEXT", []),
    (["packet: size INTEGER"], "packet: size DECIMAL", []),
    (["packet: size INTEGER"], "parcel<packet: mass<size DECIMAL", []),
    (
        ["packet: size INTEGER", "packet: size DECIMAL"], "packet: size INTEGER",
        ["packet.size DECIMAL, packet.size INTEGER"]
    ),
    (
        ["packet: size INTEGER", "-packet: size DECIMAL"], "packet: size INTEGER",
        ["packet.size DECIMAL, packet.size INTEGER"]
    ),
    (
        ["packet: size DECIMAL"], "packet: size INTEGER",
        [
            "packet.size DECIMAL, packet.size INTEGER"
        ]
    ),
    (
        ["packet: label TEXT\nbox: name DATE"], "parcel<packet box: code<label name TEXT",
        ["box.name DATE, parcel.code TEXT"]
    ),
]

// MARK: - Reading them

private func adaptation(to new: String, after versions: [String]) throws -> Adaptation {
    Adaptation(
        to: try definition(new), after: try deployed(versions), until: Int64(versions.count))
}

private func deployed(_ versions: [String]) throws -> [DeployedDefinition] {
    var sequence: Int64 = Int64(versions.count { $0.hasPrefix("-") })
    return try versions.map { text in
        defer { sequence += text.hasPrefix("-") ? 0 : 1 }
        return DeployedDefinition(
            try definition(text.replacing("-", with: "")), sequence: sequence)
    }
}

private func record(_ text: String) -> StoredRecord {
    let parts = text.split(separator: " ", maxSplits: 1)
    return StoredRecord(
        guid: guid(1), model: String(parts[0]), owner: "a", group: "users", revision: 7,
        isDeleted: false, isConflicted: true, fieldsText: String(parts[1]))
}

private func definition(_ text: String) throws -> Definition {
    let models = try text.split(separator: "\n").map { line in
        let parts = line.split(separator: ":")
        let (name, earlier) = names(parts[0])
        return Model(
            name: name, renamedFrom: earlier,
            fields: try parts[1].split(separator: ",").map { try field($0) }, credentials: [:],
            place: place)
    }
    return Definition(
        application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [], groups: [],
        roles: [], models: models, digest: text)
}

/// `code!<label TEXT` is unique.
private func field(_ text: Substring) throws -> Field {
    let words = text.split(separator: " ")
    let type: FieldType =
        switch try #require(words.last.flatMap { FieldTypeName(rawValue: String($0)) }) {
        case .text: .text(TextLimits())
        case .integer: .integer(IntegerLimits())
        case .decimal: .decimal(DecimalLimits())
        case .boolean: .boolean
        case .date: .date(DateLimits())
        case .belongsTo: .belongsTo(Relation(model: "packet"))
        case .file: .file
        }
    let (name, earlier) = names(words.dropLast().joined(separator: " ")[...])
    return Field(
        name: name.replacing("!", with: ""), renamedFrom: earlier, type: type, isRequired: false,
        isUnique: name.hasSuffix("!"), defaultValue: nil, credentials: [:], writtenOptions: [],
        writtenDefault: nil, place: place)
}

private func names(_ text: Substring) -> (name: String, earlier: [String]) {
    let parts = text.split(separator: "<")
    return (
        parts[0].trimmingPrefix(" ").description,
        parts.count == 1 ? [] : parts[1].split(separator: " ").map(String.init)
    )
}

private let place = SourcePlace(line: 1, column: 1)
