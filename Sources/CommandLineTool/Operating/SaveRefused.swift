import ArgumentParser
import FileExchange
import SyncEngine
import WholeRecordSync

struct SaveRefused: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the file or the archive of an entry.",
        discussion: """
            A file that could not be taken in, one that a refused record names, and an archive \
            that cannot be read as a whole are kept until their entry is removed.

              waggle refused save 17 picture.png --database app.sqlite --environment production
            """)

    @Argument(help: "The number of the entry.")
    var number: Int64

    @Argument(help: "The file to write; '-' is standard output.")
    var file: String

    @OptionGroup var options: DatabaseOptions

    private static let bytesAtATime = 1 << 18

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        let state = try await database.existingEnvironment(named: settings.environment)
        let contents = try await contents(in: state, of: database)
        try await database.log(.saveRefused, environment: state.name, target: "\(number)")
        try await OutputFile.write(to: file) { output in
            try await copy(contents, of: database, to: output)
        }
        try database.close()
        Terminal.printMessage("saved \(contents.size) bytes")
    }

    private func copy(
        _ contents: KeptContents, of database: OpenDatabase, to output: OutputFile
    ) async throws {
        var offset: Int64 = 0
        do {
            guard
                let found = try await database.blobs.open(contents.hash, size: contents.size)
            else { throw lost(database) }
            while offset < contents.size {
                let bytes = try await found.read(Self.bytesAtATime, at: offset)
                guard !bytes.isEmpty else { throw lost(database) }
                try output.write(bytes)
                offset += Int64(bytes.count)
            }
        } catch let error as StoreError {
            throw ToolFailure(error, database: "\(database.address)")
        }
    }

    private func contents(
        in state: EnvironmentState, of database: OpenDatabase
    ) async throws -> KeptContents {
        let found: StoredRefusal?
        do {
            found = try await database.store.refusals(
                in: state.id, after: number - 1, limit: 1
            ).first
        } catch {
            throw ToolFailure(error, database: "\(database.address)")
        }
        guard let found, found.number == number else {
            throw ToolFailure(
                .inputAtFault, "the list has no entry \(number)",
                help: "list the entries with 'waggle refused list'")
        }
        guard let contents = found.refusal.contents else {
            throw ToolFailure(
                .inputAtFault, "entry \(number) has neither a file nor an archive",
                help: "its data is in 'waggle refused list --format json'")
        }
        return contents
    }

    private func lost(_ database: OpenDatabase) -> ToolFailure {
        ToolFailure(
            .inputAtFault, "the bytes of entry \(number) are not in \(database.address)",
            help: "restore the files beside the database from a backup")
    }
}
