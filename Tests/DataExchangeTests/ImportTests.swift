import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@testable import DataExchange

@Suite("Rows become changes") struct ImportTests {
    @Test func rowsCreateRecords() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "$guid,title,score,secret\n\(guid(1)),one,2,s\n\(guid(2)),\"\",,\n"
        let (summary, problems) = try await bench.imported(text)
        #expect(problems.isEmpty)
        #expect(summary.counts == [2, 0, 0, 0, 0])
        let records = try await bench.person("a").everything()
        #expect(records.map { $0.fields?["title"] } == ["one", ""])
        #expect(records.map { $0.fields?["score"] } == [2, .null])
        #expect(records.map { $0.fields?["secret"] } == ["s", .null])
    }

    /// A field without a column keeps its value, or gets its default.
    @Test func absentFieldsAreNotSet() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        #expect(try await bench.imported("$guid,title\n\(guid(1)),t\n").summary.created == 1)
        #expect(try await bench.imported("$guid,secret\n\(guid(1)),s\n").summary.updated == 1)
        let record = try await bench.person("a").record(guid(1))
        #expect(record?.fields?["title"] == "t" && record?.fields?["score"] == 1)
        #expect(record?.fields?["secret"] == "s")
    }

    @Test func repeatChangesNothing() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "title,score\none,1\ntwo,2\none,1\n"
        #expect(try await bench.imported(text).summary.counts == [3, 0, 0, 0, 0])
        let again = try await bench.imported(text).summary
        #expect(again.counts == [0, 0, 0, 0, 0] && again.repeated == 3)
        let another = try await bench.imported(text) { $0.name = "another" }
        #expect(another.summary.counts == [3, 0, 0, 0, 0])
    }

    /// Also when somebody has changed the record since.
    @Test func repeatedUpdateIsNotAppliedAgain() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "old"]))
        let text = "$guid,title\n\(guid(1)),imported\n"
        #expect(try await bench.imported(text).summary.updated == 1)
        _ = try await a.push(update(1, id: "u", base: 2, ["title": "mine"]))
        let repeated = try await bench.imported(text).summary
        #expect(repeated.counts == [0, 0, 0, 0, 0] && repeated.repeated == 1)
        #expect(try await a.record(guid(1))?.fields?["title"] == "mine")
    }

    @Test func mendedRowIsImportedByRepeat() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let (first, problems) = try await bench.imported("title,score\none,1\ntwo,9\nthree,3\n")
        #expect(first.counts == [2, 0, 0, 0, 1])
        #expect(problems == ["3:2 score lessThanOrEqualTo"])
        let second = try await bench.imported("title,score\none,1\ntwo,5\nthree,3\n")
        #expect(second.summary.counts == [1, 0, 0, 0, 0] && second.summary.repeated == 2)
    }

    /// A refusal is no outcome that a repeat would get.
    @Test func refusedRowIsDecidedAnew() async throws {
        let bench = try await TestBench.withUsers(Documents.parcels())
        let change: (inout ImportOptions) -> Void = { $0.model = "Parcel" }
        _ = try await bench.person("a").push(
            create(1, model: "Parcel", ["code": "x"]))
        let text = "code\nx\n"
        #expect(try await bench.imported(text, with: change).problems == ["2:1 code notUnique"])
        _ = try await bench.person("a").push(delete(1, id: "d", base: 1, model: "Parcel"))
        #expect(try await bench.imported(text, with: change).summary.created == 1)
    }

    @Test func idFieldIdentifiesRecord() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let change: (inout ImportOptions) -> Void = { $0.idField = "title" }
        #expect(
            try await bench.imported("title,score\nx,1\ny,1\n", with: change).summary.created == 2)
        let second = try await bench.imported("title,score\ny,4\nx,1\n", with: change)
        #expect(second.summary.counts == [0, 1, 0, 1, 0])
        let missing = try await bench.imported("title\n\"\"\n", with: change)
        #expect(missing.problems == ["2:1 title idMissing"])
    }

    @Test func deletedRowsDelete() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "$guid,$deleted,title\n\(guid(1)),false,t\n\(guid(1)),true,t\n\(guid(2)),true,\n"
        #expect(try await bench.imported(text).summary.counts == [1, 0, 1, 1, 0])
        #expect(try await bench.person("a").everything().filter { !$0.deleted }.isEmpty)
    }

    /// A record stays deleted, whether its own row or somebody else has deleted it.
    @Test(arguments: ["", "\(guid(1)),true,\n"])
    func repeatMakesNoDeletedRecord(last: String) async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "$guid,$deleted,title\n\(guid(1)),false,t\n" + last
        #expect(try await bench.imported(text).summary.created == 1)
        if last.isEmpty { _ = try await bench.person("a").push(delete(1, id: "d", base: 1)) }
        for isTrial in [true, false] {
            let again = try await bench.imported(text) { $0.isTrial = isTrial }
            #expect(again.problems.isEmpty && again.summary.repeated == 1, "trial: \(isTrial)")
            #expect(again.summary.counts == [0, 0, 0, last.isEmpty ? 0 : 1, 0])
        }
        for isTrial in [true, false] {
            let messages = try await bench.messages(text, .csv) {
                $0.name = "another"
                $0.isTrial = isTrial
            }
            #expect(
                messages == [
                    "the record is deleted, and a guid is never used again, choose a new one"
                ])
        }
    }

    @Test func rowNamesOwner() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "$guid,$owner,title\n\(guid(1)),b,t\n\(guid(2)),,t\n\(guid(3)),nobody,t\n"
        let (summary, problems) = try await bench.imported(text)
        #expect(summary.counts == [2, 0, 0, 0, 1])
        #expect(problems == ["4:0 - ownerUnknown"])
        let owners = try await bench.person("a").everything().map(\.owner)
        #expect(owners.sorted() == ["a", "b"])
        let without = try await bench.imported("title\nx\n") { $0.owner = nil }
        #expect(without.problems == ["2:0 - ownerMissing"])
    }

    @Test(arguments: [
        ("title,titel\n", ["1:2 titel unknownField"]),
        ("title,title\n", ["1:2 title repeatedColumn"]), ("a\"b\n", ["1:1 - quoteInField"]),
    ])
    func wrongHeaderImportsNothing(header: String, expected: [String]) async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let (summary, problems) = try await bench.imported(header + "x,y\n")
        #expect(problems == expected)
        #expect(summary.rows == 0)
    }

    /// The last line of a file may lack its line feed.
    @Test func wrongHeaderIsKnownAfterwards() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        var options = ImportOptions(format: .csv)
        options.model = "Note"
        for (header, column) in [("title,titel", 2), ("title,titel\nx,y\n", 2), ("title", nil)] {
            var run = try ImportRun(
                options, into: bench.engine, at: Instant(milliseconds: 1000)
            ) { _ in }
            _ = try await run.read(Array(header.utf8))
            try await run.finish()
            #expect(run.headerProblem?.column == column, "\(header)")
        }
    }

    @Test func fieldThatIdentifiesMustBeThere() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        await #expect {
            try await bench.imported("title\nx\n") { $0.idField = "titel" }
        } throws: { error in
            guard case SyncError.find(.query(let fault)) = error else { return false }
            return fault.code == .parameterIllegal && fault.message.contains("'titel'")
        }
        let found = try await bench.imported("title\nx\n") { $0.idField = "title" }
        #expect(found.problems == [])
    }

    /// Good rows between bad ones are imported.
    @Test func everyBadRowIsReported() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = """
            $guid,title,score
            \(guid(1)),good,1
            x,bad,1
            ,bad,one
            ,,1
            ,bad
            \(guid(2)),good,5
            """
        let (summary, problems) = try await bench.imported(text)
        #expect(
            problems == [
                "3:1 $guid illegalGuid", "4:3 score wrongType", "6:0 - columnCount",
                "5:2 title empty",
            ])
        #expect(summary.counts == [2, 0, 0, 0, 4])
    }

    /// The words are those of CSV.
    @Test(arguments: [
        ("whole", "1e0", "a whole number of 64 bits, such as -12"),
        ("price", "x", "a decimal of 38 digits at most, such as 12.50"),
        ("done", "1", "true or false"),
        ("day", "x", "a date, such as 2026-11-22 or 2026-11-22T10:00:00.001Z"),
        ("box", "\"\"", "the guid or the id of a record"),
        ("photo", "photo.png", "the guid of a file, a slash and its name"),
    ])
    func messageTellsValuesOfColumn(field: String, text: String, values: String) async throws {
        let bench = try await TestBench.withUsers(Documents.things)
        let messages = try await bench.messages("\(field)\n\(text)\n", .csv) { $0.model = "Thing" }
        #expect(messages == ["'\(field)' takes \(values)"])
    }

    @Test func jsonLinesNameTheirModels() async throws {
        let bench = try await TestBench.withUsers(Documents.folders)
        let text = """
            {"$model":"Sheet","$guid":"\(guid(2))","folder":"\(guid(1))"}
            {"$model":"Folder","$guid":"\(guid(1))","name":"f"}
            {"$model":"Shelf"}
            {"name":"f"}
            {"$model":"Folder","name":
            {"$model":"Folder","nam":"f"}
            {"$model":"Folder","name":7}
            []
            """
        let (summary, problems) = try await bench.imported(text, .jsonl)
        #expect(summary.counts == [2, 0, 0, 0, 6])
        #expect(
            problems == [
                "3:0 - unknownModel", "4:0 - modelMissing", "5:0 - notJSON",
                "6:0 nam unknownField", "7:0 name wrongType", "8:0 - notJSON",
            ])
    }

    /// More rows than a batch has, all before the record that they refer to.
    @Test(arguments: [false, true]) func laterRecordIsReferredTo(isTrial: Bool) async throws {
        let bench = try await TestBench.withUsers(Documents.folders)
        let sheets = (1000..<1300).map {
            #"{"$model":"Sheet","$guid":"\#(guid($0))","folder":"\#(guid(1))"}"#
        }
        let text =
            sheets.joined(separator: "\n") + "\n"
            + #"{"$model":"Folder","$guid":"\#(guid(1))","name":"f"}"#
        let (summary, problems) = try await bench.imported(text, .jsonl) { $0.isTrial = isTrial }
        #expect(problems.isEmpty)
        #expect(summary.counts == [301, 0, 0, 0, 0])
        #expect(try await bench.person("a").everything().count == (isTrial ? 0 : 301))
    }

    /// A transaction ends with its bytes, so the rows do not come with the record that they need.
    @Test func rowsThatWaitForLaterOnesAreLimitedInBytes() async throws {
        let bench = try await TestBench.withUsers(Documents.folders)
        let sheets = (1000..<1003).map {
            #"{"$model":"Sheet","$guid":"\#(guid($0))","folder":"\#(guid(1))"}"#
        }
        let text =
            sheets.joined(separator: "\n") + "\n"
            + #"{"$model":"Folder","$guid":"\#(guid(1))","name":"f"}"#
        let (summary, problems) = try await bench.imported(text, .jsonl) {
            $0.limits.batchBytes = 1
            $0.limits.laterBytes = sheets[0].utf8.count * 2
        }
        #expect(problems == ["3:0 folder notFound"])
        #expect(summary.counts == [3, 0, 0, 0, 1])
    }

    @Test func trialReportsAndWritesNothing() async throws {
        let bench = try await TestBench.withUsers(Documents.parcels())
        let text = (1...250).map { "\($0)," }.joined(separator: "\n") + "\n7,\n8,\(guid(9))\n"
        let (summary, problems) = try await bench.imported("code,shelf\n" + text) {
            $0.model = "Parcel"
            $0.isTrial = true
        }
        #expect(problems == ["252:1 code notUnique", "253:2 shelf notFound"])
        #expect(summary.created == 250)
        #expect(try await bench.person("a").everything().isEmpty)
    }

    @Test(arguments: UInt64(0)..<60) func randomBytesAreSurvived(seed: UInt64) async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        var random = SplitMix64(seed: seed)
        let pieces =
            [
                "title", ",", "\n", "\"", "\r", "{", "}", "\"title\":", "\u{FEFF}", "é", "null",
                "1",
            ].map { Array($0.utf8) } + [[0xFF], [0], [0xEF, 0xBB]]
        var bytes = Array("title,score\n".utf8)
        for _ in 0..<300 { bytes += random.one(of: pieces) ?? [] }
        for format in RowFormat.allCases {
            _ = try await bench.imported(bytes, format, chunkBytes: 1 + Int(seed % 9)) {
                $0.model = "Note"
            }
        }
    }
}
