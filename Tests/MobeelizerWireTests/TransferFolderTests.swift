import Foundation
import NIOPosix
import SystemFiles
import Testing

@testable import MobeelizerWire
@testable import SyncServer

@Suite("Processes share the transfer folder")
struct TransferFolderTests {
    private static let files = FileManager.default

    private let threads = NIOThreadPool(numberOfThreads: 2)
    private var disk: DiskThreads { DiskThreads(threads) }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = Self.files.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? Self.files.removeItem(atPath: path) }
        threads.start()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(path))
        } catch {
            result = .failure(error)
        }
        try await threads.shutdownGracefully()
        try result.get()
    }

    /// Simulates the remains of a killed server.
    private func leave(_ name: String, in path: String) throws {
        try Self.files.createDirectory(
            atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        try Data("lines".utf8).write(to: URL(filePath: "\(path)/\(name)/lines"))
    }

    @Test func onlyUnheldTransfersAreRemoved() async throws {
        try await withFolder { path in
            try leave(UUID().uuidString, in: path)
            try leave("of somebody else", in: path)
            let held = try await TransferFolder(path: path).makeTransfer(on: disk)
            let file = held.path(of: "archive")
            try Data("zip".utf8).write(to: URL(filePath: file))
            _ = TransferFolder(path: path)
            #expect(try Data(contentsOf: URL(filePath: file)) == Data("zip".utf8))
            let left = try Self.files.contentsOfDirectory(atPath: path)
            #expect(left.count == 2 && left.contains("of somebody else"))
        }
    }

    @Test func transfersBeingCreatedAreSkipped() async throws {
        try await withFolder { path in
            let new = UUID().uuidString
            try leave(new, in: path)
            let maker = try SystemFile(reading: path)
            #expect(try maker.lock(LOCK_SH))
            _ = TransferFolder(path: path)
            #expect(try Self.files.contentsOfDirectory(atPath: path) == [new])
            withExtendedLifetime(maker) {}
        }
    }

    @Test func serverThatStartsTakesNothingFromThoseThatRun() async throws {
        try await withFolder { path in
            let folder = TransferFolder(path: path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<1000 {
                            let transfer = try await folder.makeTransfer(on: disk)
                            let file = URL(filePath: transfer.path(of: "archive"))
                            try Data("zip".utf8).write(to: file)
                            #expect(try Data(contentsOf: file) == Data("zip".utf8))
                        }
                    }
                    group.addTask { for _ in 0..<1000 { _ = TransferFolder(path: path) } }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func folderThatOthersMayWriteToIsNotUsed() async throws {
        try await withFolder { path in
            let left = UUID().uuidString
            try leave(left, in: path)
            try Self.files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
            let folder = TransferFolder(path: path)
            #expect(try Self.files.contentsOfDirectory(atPath: path) == [left])
            let error = await #expect(throws: (any Error).self) {
                try await folder.makeTransfer(on: disk)
            }
            #expect("\(try #require(error))".contains("'\(path)' belongs to another user, or"))
        }
    }

    @Test(.enabled("only root gives files away") { geteuid() == 0 })
    func folderOfSomebodyElseIsNotUsed() async throws {
        try await withFolder { path in
            let left = UUID().uuidString
            try leave(left, in: path)
            let link = path + ".link"
            defer { try? Self.files.removeItem(atPath: link) }
            try Self.files.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(lchown(link, 65534, 65534) == 0)
            let folder = TransferFolder(path: link)
            #expect(try Self.files.contentsOfDirectory(atPath: path) == [left])
            await #expect(throws: (any Error).self) {
                try await folder.makeTransfer(on: disk)
            }
        }
    }
}
