package import DefinitionModel
package import FileExchange
package import FileVault
import Foundation
import Hashing
package import JSON
package import SyncEngine

extension TestBench {
    package var vaultPath: String { folder.appending(path: "test.sqlite.files").path }
    package var blobs: FolderBlobStore { FolderBlobStore(path: vaultPath) }
    package var files: FileEngine { FileEngine(engine: engine, store: store, blobs: blobs) }

    /// Paths relative to the vault's folder.
    package func vaultFiles() throws -> [String] {
        guard FileManager.default.fileExists(atPath: vaultPath) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: vaultPath)
            .filter { $0.contains("/") }.sorted()
    }

    /// By default, everything is old enough to be swept.
    package func sweepFiles(
        before milliseconds: Int64 = 1_000_000
    ) async throws -> FileSweepResult {
        try await files.sweepFiles(before: Instant(milliseconds: milliseconds))
    }
}

/// The guid of a file for a number; distinct from guids of records.
package func file(_ number: Int) -> String { guid(0xF000 + number) }

extension JSONValue {
    package static func file(_ number: Int, _ name: String = "scan.pdf") -> JSONValue {
        .object(["guid": .string(EngineKit.file(number)), "filename": .string(name)])
    }
}

extension ContentHash {
    package static func of(_ text: String) throws -> ContentHash {
        try ContentHash(SHA256.hash(Array(text.utf8))).orFail("a hash has another length")
    }
}

/// The result of an upload or a download.
package enum FileAnswer: Hashable {
    case refused(FileRefusal)
    case text(String)
    case sent(complete: Bool, received: Int64)
    /// The file existed already.
    case wasThere

    package static let unknown = FileAnswer.refused(.unknown)
    package static let notYours = FileAnswer.refused(.notYours)
}

extension Person {
    /// Uploads a text, or a part of it. With `claiming`, the digest is that of another text.
    @discardableResult
    package func upload(
        _ number: Int, _ text: String, part: Range<Int>? = nil, claiming claim: String? = nil,
        with engine: Engine? = nil, at milliseconds: Int64 = 1000
    ) async throws -> FileAnswer {
        let files = files(of: engine)
        let bytes = Array(text.utf8)
        let range = part ?? 0..<bytes.count
        let request = UploadRequest(
            guid: file(number), contents: try .of(claim ?? text),
            part: try UploadPart(
                first: Int64(range.lowerBound), count: Int64(range.count), total: Int64(bytes.count)
            ).orFail("\(range) is no part"),
            freshID: UUID().uuidString)
        let now = Instant(milliseconds: milliseconds)
        let caller = try await caller()
        return try await answer { () async throws(SyncError) in
            switch try await files.begin(request, by: caller, at: now) {
            case .isThere: return .wasThere
            case .open(let opened):
                try await opened.append(Array(bytes[range]))
                let message = try await files.finish(opened, by: caller, at: now)
                return .sent(complete: message.isComplete, received: message.received)
            }
        }
    }

    /// Downloads a whole file.
    package func download(_ number: Int, with engine: Engine? = nil) async throws -> FileAnswer {
        let files = files(of: engine)
        let caller = try await caller()
        return try await answer { () async throws(SyncError) in
            let opened = try await files.open(file(number), for: caller)
            let bytes = try await opened.read(Int(opened.size), at: 0)
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Queries the state of an upload.
    package func uploadState(_ number: Int) async throws -> FileAnswer {
        let (files, caller) = (bench.files, try await caller())
        return try await answer { () async throws(SyncError) in
            let message = try await files.upload(of: file(number), for: caller)
            return .sent(complete: message.isComplete, received: message.received)
        }
    }

    private func files(of engine: Engine?) -> FileEngine {
        FileEngine(engine: engine ?? bench.engine, store: bench.store, blobs: bench.blobs)
    }

    private func answer(
        _ body: () async throws(SyncError) -> FileAnswer
    ) async throws -> FileAnswer {
        do {
            return try await body()
        } catch .file(let refusal) {
            return .refused(refusal)
        }
    }
}

extension Documents {
    /// Records visible to everyone with three file fields: `scan` for the group, `contract` for the
    /// owner, and `ballot`, which anyone may set and nobody may read.
    package static func files(
        _ mode: ConflictMode = .manual, scanRead: String = "GROUP"
    ) -> String {
        document(
            mode,
            models: """
                <model name="Note">
                  <fields>
                    \(field("title", "TEXT", read: "ALL"))
                    \(field("scan", "FILE", read: scanRead))
                    \(field("contract", "FILE", read: "OWN"))
                    \(field("ballot", "FILE", read: "NONE"))
                  </fields>
                  \(credentials(read: "ALL"))
                </model>
                """)
    }
}
