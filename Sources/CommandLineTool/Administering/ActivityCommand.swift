import Administration
import ArgumentParser
import JSON
import SyncEngine

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Write the activity log: what operators and the tool have done, newest first.",
        discussion: "As JSON lines: every entry that is kept.")

    @OptionGroup var options: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(options) { database in
            var last: Int64?
            repeat {
                let before = last
                let page = try await database.calling { store throws(StoreError) in
                    try await store.activities(before: before, limit: 200)
                }
                Terminal.write(page.map { $0.json.text + "\n" }.joined())
                last = page.last?.number
            } while last != nil
        }
    }
}
