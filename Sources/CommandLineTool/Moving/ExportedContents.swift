import EnvironmentCopy
import FileExchange
import Foundation
import SyncEngine

/// The contents of a person's files that were written into a folder.
struct ExportedContents {
    private var count = 0
    /// The files whose contents are not beside the database.
    private var missing: [String] = []

    private static let bytesAtATime = 1 << 18

    /// Writes the contents into a folder, which is made if it does not exist. Only its owner may
    /// read it. Throws for contents that are there already.
    mutating func write(
        _ files: [CompleteFile], from blobs: any BlobStore, into folder: String
    ) async throws {
        try make(folder)
        for file in files {
            try Task.checkCancellation()
            guard let found = try await blobs.open(file.contents, size: file.size) else {
                missing.append(file.name)
                continue
            }
            try await OutputFile.write(to: "\(folder)/\(file.name)") { output in
                try await copy(found, of: file, to: output)
            }
            count += 1
        }
    }

    /// Tells the number of files, and throws if contents are missing.
    func report(of database: String) throws(ToolFailure) {
        Terminal.printMessage("exported files: \(count)")
        guard let first = missing.first else { return }
        throw ToolFailure(
            .inputAtFault,
            "the bytes of \(missing.count) files are not in \(database), first '\(first)'",
            help: "restore the files beside the database from a backup; all else is exported")
    }

    private func copy(
        _ found: any WholeFile, of file: CompleteFile, to output: OutputFile
    ) async throws {
        var offset: Int64 = 0
        while offset < file.size {
            try Task.checkCancellation()
            let bytes = try await found.read(Self.bytesAtATime, at: offset)
            guard !bytes.isEmpty else {
                throw StoreError.unreadable("the contents \(file.contents.hex) became shorter")
            }
            try output.write(bytes)
            offset += Int64(bytes.count)
        }
    }

    private func make(_ folder: String) throws(ToolFailure) {
        try Disk.makePrivateFolder(folder) { reason in
            ToolFailure(
                .machineFailed, "'\(folder)' cannot be made: \(reason)",
                help: "name a folder in one that exists and that you may write to")
        }
    }
}
