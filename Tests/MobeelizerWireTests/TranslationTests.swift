import DefinitionCompiler
import Foundation
import NIOPosix
import SyncEngine
import TestKit
import Testing

@testable import MobeelizerWire
@testable import SyncServer

@Suite("Errors of other modules are translated to this wire")
struct TranslationTests {
    /// No test here gets as far as its files.
    private let disk = DiskThreads(NIOThreadPool(numberOfThreads: 1))

    private func mapping() throws -> SchemaMapping {
        let file = SourceFile(
            name: "application.xml",
            bytes: try bytes(ofFile: "Definitions/Conflicts/application.xml"))
        let definition = try #require(compile(file).definition)
        return SchemaMapping(now: definition, client: definition)
    }

    @discardableResult
    private func readArchive(at path: String) throws -> SentArchive {
        let mapping = try mapping()
        return try SentArchive(
            at: path, lines: path + ".lines", through: mapping, limits: WireLimits())
    }

    private func translation(of body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return translated(error)
        }
    }

    @Test func archiveThatIsNoneHasFault() throws {
        let archive = try readArchive(at: "/dev/null")
        #expect(archive.fault?.contains("not a ZIP archive") == true && archive.recordCount == 0)
    }

    @Test func illegalBodyIsRefused() {
        let error = translation {
            _ = try ArchiveReceiver(
                contentType: "text/plain", file: "/nowhere/a", on: disk, maxBytes: 1)
        }
        #expect(
            error as? WireRefusal == .rejected(MultipartError.typeWrong("text/plain").description))
    }

    @Test func fileThatCannotBeUsedIsFaultOfMachine() {
        let type = "multipart/form-data; boundary=b"
        let bodies: [(verb: String, body: () throws -> Void)] = [
            ("read", { _ = try readArchive(at: "/nowhere/a") }),
            (
                "write",
                {
                    _ = try ArchiveReceiver(
                        contentType: type, file: "/nowhere/a", on: disk, maxBytes: 1)
                }
            ),
        ]
        for (verb, body) in bodies {
            let failed = StoreError.failed("cannot open '/nowhere/a': no such file or directory")
            #expect(translation(of: body) as? SyncError == .store(failed), "\(verb)")
        }
    }

    /// The error that Foundation throws for a full disk.
    @Test func fullDiskIsOne() {
        let error = translated(CocoaError(.fileWriteOutOfSpace))
        #expect(error as? SyncError == .store(.outOfSpace))
    }

    @Test func otherErrorsAreUnchanged() {
        for error in [SyncError.adminOnly, .store(.busy)] {
            #expect(translated(error) as? SyncError == error)
        }
        #expect(translated(WireRefusal.userIllegible) as? WireRefusal == .userIllegible)
    }
}
