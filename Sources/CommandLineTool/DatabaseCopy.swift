import DefinitionModel
import EnvironmentCopy
import FileExchange
import Foundation
import SyncEngine

/// Copies environments between two open databases, and shows the progress.
struct DatabaseCopy {
    let source: OpenDatabase
    let target: OpenDatabase

    init(from source: OpenDatabase, to target: OpenDatabase) {
        self.source = source
        self.target = target
    }

    func run(_ request: CopyRequest) async throws(ToolFailure) -> CopyReport {
        try await withSnapshot { snapshot throws(ToolFailure) in
            try await run(request, of: snapshot)
        }
    }

    /// One snapshot, however many environments are copied. Nobody else copies to the target
    /// meanwhile, and no sweep removes contents from the source.
    func withSnapshot<Value>(
        _ body: (any StoreSnapshot) async throws(ToolFailure) -> Value
    ) async throws(ToolFailure) -> Value {
        let claim = try await target.claimCopies()
        let result: Result<Value, ToolFailure>
        do throws(ToolFailure) {
            result = .success(try await withContents(body))
        } catch {
            result = .failure(error)
        }
        await claim.release()
        return try result.get()
    }

    /// Contents are held before the snapshot is taken.
    private func withContents<Value>(
        _ body: (any StoreSnapshot) async throws(ToolFailure) -> Value
    ) async throws(ToolFailure) -> Value {
        let hold: any StoreHold
        do {
            hold = try await source.blobs.holdContents()
        } catch {
            throw ToolFailure(error, database: "\(source.address)")
        }
        let result: Result<Value, ToolFailure>
        do throws(ToolFailure) {
            result = .success(
                try await source.store.withSnapshot(
                    failingAs: { ToolFailure($0, database: "\(source.address)") }, body))
        } catch {
            result = .failure(error)
        }
        await hold.release()
        return try result.get()
    }

    func environments(in snapshot: any StoreSnapshot) async throws(ToolFailure) -> [String] {
        do {
            return try await snapshot.environments().filter { EnvironmentName.isLegal($0) }
        } catch {
            throw ToolFailure(error, database: "\(source.address)")
        }
    }

    func run(
        _ request: CopyRequest, of snapshot: any StoreSnapshot
    ) async throws(ToolFailure) -> CopyReport {
        let (rows, files, verified) = (
            Progress("copied rows"), Progress("copied files"), Progress("verified rows")
        )
        let copy = CopyRun(
            from: snapshot, contents: source.blobs, to: target.store, contents: target.blobs
        ) { step in
            switch step {
            case .copied(let count): rows.show(count)
            case .copiedContents(let count): files.show(count)
            case .verified(let count): verified.show(count)
            }
        }
        defer { rows.end() }
        do {
            return try await copy.run(request)
        } catch {
            throw failure(error, request)
        }
    }

    private func failure(_ error: CopyError, _ request: CopyRequest) -> ToolFailure {
        switch error {
        case .environmentUnknown:
            ToolFailure(
                .inputAtFault, "'\(source.address)' has no environment '\(request.environment)'",
                help: "name another with --environment")
        case .nameTaken:
            ToolFailure(
                .inputAtFault, "'\(target.address)' has an environment '\(request.name)' already",
                help: "name another database, or another name with --as; nothing was changed")
        case .differs(let table):
            ToolFailure(
                .machineFailed,
                "what was read back of '\(table.rawValue)' from '\(target.address)' is not what "
                    + "was written",
                help: "the copy is not used; see that nobody else copies to the same place, and "
                    + "copy again")
        case .source(let error): ToolFailure(error, database: "\(source.address)")
        case .target(let error): ToolFailure(error, database: "\(target.address)")
        }
    }
}

extension CopyReport {
    var summary: String {
        "\(counted(records, "record")) and \(counted(files, "file")); new: \(writtenRows) of "
            + "\(counted(rows, "row")) and \(writtenFiles) of \(counted(files, "file")); "
            + "counts and checksums agree"
    }

    /// Throws if files have no contents; everything else was copied.
    func checkFiles(in source: String) throws(ToolFailure) {
        guard !filesWithoutContents.isEmpty else { return }
        let shown = filesWithoutContents.prefix(10).joined(separator: ", ")
        let rest = filesWithoutContents.count - 10
        throw ToolFailure(
            .inputAtFault,
            "the contents of \(counted(filesWithoutContents.count, "file")) are missing or "
                + "damaged in "
                + "'\(source)', and so in the copy: \(shown)"
                + (rest > 0 ? " and \(rest) more" : ""),
            help: "everything else was copied; their owners can upload them again")
    }
}
