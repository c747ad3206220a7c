import Foundation
import SyncProtocol
import TestKit
import Testing

@testable import Waggle

@Suite("Values are written and read as people do") struct FieldTextTests {
    private func fields(of model: String) throws -> [FieldOutline] {
        let bytes = try bytes(ofFile: "Definitions/FieldService/application.xml")
        let definition = try checked(String(decoding: bytes, as: UTF8.self))
        let json = try StoredJSON.encode(CompiledDefinition(definition))
        return try AppDefinition(json: json).fields(ofModel: model)
    }

    private func field(_ name: String, of model: String) throws -> FieldOutline {
        try #require(try fields(of: model).first { $0.name == name })
    }

    @Test func outlineAgreesWithDefinition() throws {
        let visit = try fields(of: "visit")
        #expect(
            visit.map { "\($0.name) \($0.kind)\($0.isRequired ? ", required" : "")" } == [
                "workOrder BELONGS_TO workOrder, required", "technician TEXT, required",
                "startsAt DATE, required", "endsAt DATE", "travelKilometres DECIMAL",
                "completed BOOLEAN, required", "signature FILE",
            ])
        #expect(try field("inStock", of: "part").kind == .integer)
        #expect(try fields(of: "nothing") == [])
    }

    static let guid = "3f2a91c0-4b5d-4e6f-8a7b-9c0d1e2f3a4b"

    /// The written text, the field, the stored value, and the text that is read back.
    static let values: [(String, String, StoredField, String)] = [
        ("technician", " anna ", " anna ".stored, " anna "), ("technician", "", "".stored, ""),
        ("completed", "true", true.stored, "true"), ("completed", "false", false.stored, "false"),
        ("travelKilometres", "12.50", ExactDecimal(canonical: "12.5").stored, "12.5"),
        ("workOrder", guid, guid.stored, guid),
        ("startsAt", "2026-11-21", Int64(1_795_219_200_000).stored, "2026-11-21"),
        (
            "startsAt", "2026-11-21T10:30Z", Int64(1_795_257_000_000).stored,
            "2026-11-21T10:30:00Z"
        ),
        ("startsAt", "-1", Int64(-1).stored, "1969-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: values)
    func textIsValueAndValueText(
        name: String, text: String, stored: StoredField, read: String
    ) throws {
        let field = try field(name, of: "visit")
        #expect(try field.value(writtenAs: text) == stored)
        #expect(field.text(of: stored) == read)
        #expect(try field.value(writtenAs: read) == stored)
    }

    @Test(arguments: [
        ("completed", "yes", "write true or false"), ("completed", "", "write true or false"),
        ("travelKilometres", "1e3", "write plain digits, at most 38, such as 12.50"),
        (
            "startsAt", "2026-02-30",
            "write a day such as 2026-11-21, or a time in UTC such as 2026-11-21T10:30Z"
        ),
        ("workOrder", "3f2a", "write the guid of a record of 'workOrder'"),
        ("signature", "a.png", "attach a file, and set what comes of it"),
    ])
    func illegalTextsAreRefusedWithHelp(name: String, text: String, help: String) throws {
        let field = try field(name, of: "visit")
        let error = #expect(throws: FieldTextError.self) { try field.value(writtenAs: text) }
        #expect(error?.description == "'\(text)' is no value of '\(name)': \(help)")
    }

    @Test func numberIsNotWrittenWithFraction() throws {
        let field = try field("inStock", of: "part")
        #expect(try field.value(writtenAs: "-5") == Int64(-5).stored)
        let error = #expect(throws: FieldTextError.self) { try field.value(writtenAs: "5.0") }
        #expect(error?.description.hasSuffix("write a whole number, such as -5") == true)
    }

    @Test func nullAndHiddenFieldsHaveNoText() throws {
        let file = FileReference(guid: Self.guid, filename: "a.png")
        let signature = try field("signature", of: "visit")
        #expect(signature.text(of: file.stored) == "a.png")
        for value in [.null, .hidden, "a text".stored] as [StoredField] {
            #expect(signature.text(of: value) == nil)
        }
    }
}

@Suite("Records are kept by the names of their fields", .timeLimit(.minutes(5)))
struct RecordValuesTests {
    let bench: DeviceBench
    let database: Waggle.Database

    init() async throws {
        bench = try await DeviceBench()
        database = try bench.database(mode: .development(group: "users"))
        try await database.logIn("a", password: "")
    }

    private func codes(_ values: RecordValues) async -> [String] {
        do {
            try await database.save(values)
            return []
        } catch {
            guard case .refused(let refusals) = error else { return ["\(error)"] }
            return refusals.map(\.code)
        }
    }

    @Test func unnamedFieldsHaveTheirDefaults() async throws {
        var values = RecordValues(model: "Film", guid: Film.newGuid())
        values["title"] = "Solaris".stored
        try await database.save(values)
        let film = try #require(try await database.get(Film.self, guid: values.guid))
        #expect(film.title == "Solaris" && film.score == 1 && film.director == .null)
    }

    @Test func unnamedFieldsAreUnchanged() async throws {
        let film = Film(title: "Solaris", score: 4, director: "Tarkovsky")
        try await database.save(film)
        var values = RecordValues(model: "Film", guid: film.guid)
        values["score"] = .null
        #expect(values["title"] == .hidden && values["score"] == .null)
        try await database.save(values)
        let found = try #require(try await database.get(Film.self, guid: film.guid))
        #expect(found.title == "Solaris" && found.score == nil && found.director == "Tarkovsky")
    }

    @Test func rulesAreTheSame() async throws {
        var values = RecordValues(model: "Film", guid: Film.newGuid())
        #expect(await codes(values) == ["empty"])
        values["title"] = "Solaris".stored
        values["titel"] = "Solaris".stored
        #expect(await codes(values) == ["unknownField"])
        values["titel"] = .hidden
        values["score"] = "five".stored
        #expect(await codes(values) == ["wrongType"])
        #expect(await codes(RecordValues(model: "Movie", guid: Film.newGuid())) == ["unknownModel"])
        #expect(try await database.list(Film.self).isEmpty)
    }
}
