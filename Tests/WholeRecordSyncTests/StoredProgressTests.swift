import ChangeRules
import EngineKit
import Foundation
import SyncEngine
import TestKit
import Testing
import WholeRecordSync

/// The JSON format of a device's progress, which must stay readable.
///
/// `UPDATE_GOLDEN=1` rewrites the files of the current version; files of earlier versions never
/// change.
@Suite struct StoredProgressTests {
    private static let unkept = UnkeptRefusal(
        model: "Note", guid: guid(1), causes: [Cause(.empty, field: "title")])
    private static let full = SyncRejection.listFull(
        records: 30, count: 2,
        first: [
            unkept,
            UnkeptRefusal(
                model: "", guid: "",
                causes: [
                    Cause(
                        .recorded(
                            RecordedReason(
                                code: "illegible", message: "line 3 of 'data': no JSON",
                                argument: nil)))
                ]),
        ])
    private static let sentence = SyncRejection.recorded("some of 30 records were refused")

    private static func progress(_ rejection: SyncRejection?) -> DeviceProgress {
        DeviceProgress(
            formerTicket: SyncTicket(
                text: "t", startsOver: rejection == nil, rejection: rejection, deliveries: 2,
                delivered: rejection == nil ? "d" : nil),
            owedRecords: [guid(1): "", guid(2): "s"])
    }

    private static let every = [
        DeviceProgress(owedRecords: [guid(1): "t"]), progress(nil), progress(sentence),
        progress(full),
    ]

    @Test func storedProgressIsGolden() throws {
        let lines = try Self.every.map { try #require(StoredProgressDetails.text(of: $0)) }
        try compare(lines, with: "progress-2.txt")
        for (progress, line) in zip(Self.every, lines) {
            let read = try StoredProgressDetails.read(line)
            #expect(read.formerTicket == progress.formerTicket)
            #expect(read.owedRecords == progress.owedRecords)
        }
        #expect(StoredProgressDetails.text(of: DeviceProgress(confirmed: "c")) == nil)
    }

    @Test func storedRejectionsAreGolden() throws {
        let every = [Self.sentence, Self.full]
        try compare(every.map(\.text), with: "rejections-2.txt")
        for rejection in every { #expect(try SyncRejection(text: rejection.text) == rejection) }
    }

    /// Version 1 had the rejection as a sentence.
    @Test func progressOfVersion1ReadsAsItWas() throws {
        let lines = try String(contentsOfFile: path("progress-1.txt"), encoding: .utf8)
            .split(separator: "\n").map { try StoredProgressDetails.read(String($0)) }
        #expect(lines.map(\.formerTicket) == Self.every.prefix(3).map(\.formerTicket))
        #expect(lines.map(\.owedRecords) == Self.every.prefix(3).map(\.owedRecords))
        let rejection = try SyncRejection(text: "some of 30 records were refused")
        #expect(rejection == Self.sentence)
    }

    @Test(arguments: [
        "", "7", "{}", #"{"owedRecords":{"g":1}}"#, #"{"owedRecords":{},"version":3}"#,
        #"{"formerTicket":{},"owedRecords":{},"version":2}"#,
        #"{"formerTicket":{"deliveries":0,"rejection":1,"text":"t"},"owedRecords":{}}"#,
    ])
    func damagedProgressIsUnreadable(text: String) {
        #expect(throws: StoreError.self) { try StoredProgressDetails.read(text) }
    }

    @Test(arguments: [
        "{", "{}", #"{"code":"odd","version":2}"#, #"{"code":"listFull","version":2}"#,
        #"{"code":"recorded","message":"x","version":3}"#,
        #"{"code":"listFull","count":1,"first":[{}],"records":1,"version":2}"#,
    ])
    func damagedRejectionIsUnreadable(text: String) {
        #expect(throws: StoreError.self) { try SyncRejection(text: text) }
    }

    private func path(_ name: String) -> String {
        repositoryPath("Tests/WholeRecordSyncTests/Golden/\(name)")
    }

    private func compare(_ texts: [String], with name: String) throws {
        let text = texts.map { $0 + "\n" }.joined()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOfFile: path(name), encoding: .utf8)
        #expect(text == kept, "set UPDATE_GOLDEN=1 and look at the difference")
    }
}
