import DefinitionCompiler
import DefinitionModel
import Foundation
import SQLiteStore
import SyncEngine

/// A database that a command works on.
struct OpenDatabase {
    let store: SQLiteDatabase
    let path: String

    /// With `creating` a file that is not there is made.
    init(_ path: String, creating: Bool) throws(ToolFailure) {
        self.path = path
        guard creating || FileManager.default.fileExists(atPath: path) else {
            throw ToolFailure(
                .inputAtFault, "there is no database '\(path)'",
                help: "make it with 'waggle deploy FILE --database \(path)', or name another")
        }
        do {
            store = try SQLiteDatabase(path: path)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    func versions(of state: EnvironmentState) async throws(ToolFailure) -> [[UInt8]] {
        do {
            return try await store.versions(of: state.id)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    func environment(named name: String) async throws(ToolFailure) -> EnvironmentState? {
        do {
            return try await store.environment(named: name)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    /// Makes the definition current, unless another one became it since `present` was read.
    func deploy(
        _ file: DefinitionFile, to name: String, replacing present: EnvironmentState?
    ) async throws(ToolFailure) -> EnvironmentState {
        let version = NewVersion(
            digest: file.definition.digest, fingerprint: file.definition.fingerprint,
            source: file.bytes, deployedAt: .now, instance: UUID().uuidString.lowercased())
        do {
            let state = try await store.deploy(to: name) { found in
                found?.fingerprint == present?.fingerprint ? version : nil
            }
            if let state, state.fingerprint == version.fingerprint { return state }
        } catch {
            throw ToolFailure(error, database: path)
        }
        throw ToolFailure(
            .inputAtFault, "someone else deployed another definition just now",
            help: "look at it, and try again")
    }

    func accounts(of name: String) async throws -> Accounts {
        guard let state = try await environment(named: name) else {
            throw ToolFailure(
                .inputAtFault, "'\(path)' has no environment '\(name)'",
                help: "make it with 'waggle deploy FILE --database \(path) --environment \(name)'")
        }
        let file = try DefinitionFile(
            deployed: SourceFile(
                name: "definition of environment \(name)", bytes: state.source))
        return Accounts(store: store, environment: state.id, definition: file.definition)
    }

    /// Lets go of the file.
    func close() throws(ToolFailure) {
        do {
            try store.close()
        } catch {
            throw ToolFailure(error, database: path)
        }
    }
}

extension Instant {
    static var now: Instant {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
