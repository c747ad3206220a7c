import Administration
import ArgumentParser
import Foundation
import JSON

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Write the OpenAPI 3.1 document of the administration over HTTP.")

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    func run() throws {
        try Disk.write(adminInterface().text + "\n", to: output)
    }
}
