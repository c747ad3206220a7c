import ChangeRules
import DefinitionModel
import EngineKit
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine
@testable import WholeRecordSync

@Suite("Few of the files that a device names are noted")
struct DeviceFileTests {
    private static let document = Documents.document(
        .overwrite,
        models: """
            <model name="Note">
              <fields>\(Documents.field("picture", "FILE", read: "ALL"))</fields>
              \(Documents.credentials(resolving: true))
            </model>
            """)

    /// Lines of a record, each with another file.
    private func lines(of record: Int, naming files: Range<Int>) -> [FullRecord] {
        files.map { number in
            let file = FileValue(guid: guid(1000 + number), filename: "a.png")
            return FullRecord(
                id: "\(record)-\(number)", model: "Note", guid: guid(record), isDeleted: false,
                resolves: false, fields: ["picture": .value(.file(file))])
        }
    }

    @Test func filesAreNotedOfRecordsThatExist() async throws {
        let bench = try await TestBench(Self.document)
        _ = try await bench.accounts.add(
            login: "a", group: "users", mail: "", isAdmin: false, passwordHash: "x")
        let person = bench.person("a")
        #expect(try await person.push(create(1, [:])).map(\.outcome) == [.accepted])
        let caller = try await person.caller()
        let engine = TicketEngine(engine: bench.engine, store: bench.store)
        // It is the same whether the device has sent their contents or not.
        for sent: Set<String> in [[], Set((0..<100).map { guid(1000 + $0) })] {
            for files in [0..<60, 60..<70] {
                let records = [1, 2].flatMap { lines(of: $0, naming: files) }
                try await engine.noteFiles(sent, namedBy: records, of: caller)
            }
        }
        let noted = try await engine.files(of: caller, namedBy: [guid(1), guid(2)])
        #expect(noted.count == TicketEngine.maxFilesOfRecord)
        #expect(noted.allSatisfy { $0.record == guid(1) })
    }
}
