import EnvironmentCopy
import FileExchange
import FileVault
import Foundation
import SyncEngine
import SystemFiles

/// The contents of a person's files that were written into a folder.
struct ExportedContents {
    private var count = 0
    /// How many of them were there already.
    private var keptCount = 0
    /// The files whose contents are not beside the database.
    private var missing: [String] = []

    private static let bytesAtATime = 1 << 18

    /// Writes the contents into a folder, which is made if it does not exist, and which only its
    /// owner may then read. It may have files of an earlier call, which failed: those that are
    /// whole are kept, and others replaced or removed. Throws if it has anything else.
    mutating func write(
        _ files: [CompleteFile], from blobs: any BlobStore, into folder: String
    ) async throws {
        try make(folder)
        try checkContents(of: folder, for: files)
        try close(folder)
        for file in files {
            try Task.checkCancellation()
            let path = "\(folder)/\(file.name)"
            guard try !isWhole(file, at: path) else {
                keptCount += 1
                continue
            }
            guard let found = try await blobs.open(file.contents, size: file.size) else {
                for left in [path, path + OutputFile.partialSuffix] {
                    try? FileManager.default.removeItem(atPath: left)
                }
                missing.append(file.name)
                continue
            }
            try await OutputFile.write(to: path, replacing: true) { output in
                try await copy(found, of: file, to: output)
            }
            count += 1
        }
    }

    /// Tells the number of files, and throws if contents are missing.
    func report(of database: String) throws(ToolFailure) {
        let kept = keptCount > 0 ? ", \(keptCount) of them were there already" : ""
        Terminal.printMessage("exported files: \(count + keptCount)\(kept)")
        guard let first = missing.first else { return }
        throw ToolFailure(
            .inputAtFault,
            "the bytes of \(missing.count) files are not in \(database), first '\(first)'",
            help: "all else is exported: restore the files beside the database from a backup, "
                + "and export again into the same folder, with another --output")
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

    private func isWhole(_ file: CompleteFile, at path: String) throws(ToolFailure) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        do {
            return try ContentHash(ofFile: path, size: file.size) == file.contents
        } catch {
            throw ToolFailure(
                .machineFailed, "\(error)", help: "see that you may read the file, or remove it")
        }
    }

    /// A file of somebody else among them could be passed on by mistake.
    private func checkContents(
        of folder: String, for files: [CompleteFile]
    ) throws(ToolFailure) {
        let names = Set(files.flatMap { [$0.name, $0.name + OutputFile.partialSuffix] })
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: "\(folder)/\(name)")
                guard names.contains(name), attributes[.type] as? FileAttributeType == .typeRegular
                else {
                    throw ToolFailure(
                        .inputAtFault,
                        "'\(folder)' has '\(name)', which is no file of this person, or was "
                            + "removed since",
                        help: "name a new folder, or that of an export of the person that failed")
                }
            }
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(folder)' cannot be read: \(Disk.reason(error))",
                help: "name a folder that you may read and write to")
        }
    }

    private func make(_ folder: String) throws(ToolFailure) {
        try Disk.makePrivateFolder(folder) { reason in
            ToolFailure(
                .machineFailed, "'\(folder)' cannot be made: \(reason)",
                help: "name a folder in one that exists and that you may write to")
        }
    }

    /// Others may open a folder that existed.
    private func close(_ folder: String) throws(ToolFailure) {
        do {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: folder)
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(folder)' cannot be closed to others: \(Disk.reason(error))",
                help: "name a folder of your own")
        }
    }
}
