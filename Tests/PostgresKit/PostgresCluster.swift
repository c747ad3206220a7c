import CLibPQ
import Foundation
import Synchronization

/// A PostgreSQL server for this test process: started on first use, and stopped when the process
/// ends.
package final class PostgresCluster: Sendable {
    /// Throws the server's messages if it did not start.
    package static func shared() throws -> PostgresCluster { try started.get() }

    /// The script that runs the server until the process that started the script ends.
    package static let supervisor = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "supervise.sh").path

    private let emptying = """
        DO $$ DECLARE names text; BEGIN
            SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') INTO names
                FROM pg_tables WHERE schemaname = 'waggle' AND tablename <> 'migrations';
            IF names IS NOT NULL THEN
                EXECUTE 'TRUNCATE ' || names || ' RESTART IDENTITY CASCADE';
            END IF;
        END $$
        """

    private static let started = Result { try PostgresCluster("shared") }

    private let folder: String
    private let lastNumber = Atomic(0)
    private let emptied = Mutex<[String]>([])

    /// Starts a server of its own, for a test that what others do to a server would disturb.
    package init(_ name: String) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "waggle-pg-\(ProcessInfo.processInfo.processIdentifier)-\(name)")
            .path
        let (output, problems) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [PostgresCluster.supervisor, folder]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = problems
        try process.run()
        guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
            let text = problems.fileHandleForReading.readDataToEndOfFile()
            throw ClusterError(text: String(decoding: text, as: UTF8.self))
        }
    }

    /// An empty database, possibly with empty tables.
    package func makeDatabase() throws -> PostgresTestDatabase {
        let name = try emptied.withLock { $0.popLast() } ?? freshDatabase()
        return PostgresTestDatabase(name: name, folder: folder, cluster: self)
    }

    private func freshDatabase() throws -> String {
        let name = "test\(lastNumber.add(1, ordering: .relaxed).newValue)"
        try run("CREATE DATABASE \(name) TEMPLATE template0")
        return name
    }

    /// Copies a database without clients. PostgreSQL waits 5 seconds for the end of its backends,
    /// which may come later on a busy machine.
    fileprivate func copy(_ original: String) throws -> String {
        let name = "test\(lastNumber.add(1, ordering: .relaxed).newValue)"
        for attempt in 1... {
            do {
                try run("CREATE DATABASE \(name) TEMPLATE \(original)")
                break
            } catch let error as ClusterError where error.isInUse && attempt < 24 {
                continue
            }
        }
        return name
    }

    /// Empties a database for reuse, which is faster than creating one.
    fileprivate func reclaim(_ name: String) {
        do {
            try run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(name)' AND pid <> pg_backend_pid()
                """, in: name)
            try run(emptying, in: name)
            emptied.withLock { $0.append(name) }
        } catch {
            try? run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        }
    }

    /// Executes a command as the administrator of the server.
    private func run(_ command: String, in name: String = "postgres") throws {
        let connection = PQconnectdb("postgres:///\(name)?host=\(folder)&user=waggle")
        defer { PQfinish(connection) }
        let result = PQexec(connection, command)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            let code = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
            throw ClusterError(
                text: String(cString: PQerrorMessage(connection)),
                isInUse: code.map { String(cString: $0) } == "55006")
        }
    }
}

/// A database for one test, removed with the last reference.
package final class PostgresTestDatabase: Sendable {
    package let name: String
    /// The folder of the server's socket.
    package let folder: String
    package let address: String

    private let cluster: PostgresCluster

    fileprivate init(name: String, folder: String, cluster: PostgresCluster) {
        self.name = name
        self.folder = folder
        self.cluster = cluster
        address = "postgres://waggle@/\(name)?host=\(folder)"
    }

    /// Throws while there are connections to it.
    package func copy() throws -> PostgresTestDatabase {
        PostgresTestDatabase(name: try cluster.copy(name), folder: folder, cluster: cluster)
    }

    deinit { cluster.reclaim(name) }
}

/// The messages of PostgreSQL.
package struct ClusterError: Error, CustomStringConvertible {
    let text: String
    /// Whether there are connections to the database.
    var isInUse = false

    package var description: String { "PostgreSQL: \(text)" }
}
