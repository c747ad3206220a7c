import Hummingbird
import JSON
import SyncServer
import Texts

/// A definition of this repository with which an application can begin.
struct ExampleDefinition: Sendable {
    let name: String
    let title: String
    /// A clause that says what it shows.
    let summary: String

    static let all = [
        ExampleDefinition(
            name: "conflicts", title: "Conflicts",
            summary: "two people change one record, and somebody decides"),
        ExampleDefinition(
            name: "permissions", title: "Permissions",
            summary: "films: everybody sees the title, only its owner the director"),
        ExampleDefinition(
            name: "todo", title: "Todo", summary: "lists and tasks that are shared"),
        ExampleDefinition(name: "dates", title: "Dates", summary: "dates and their limits"),
    ]

    var xml: String { embeddedText(at: "Definitions/\(title)/application.xml") }
}

extension AdminExchange {
    func listExamples() -> Response {
        .json(
            .array(
                ExampleDefinition.all.map { example in
                    .object([
                        "name": .string(example.name), "title": .string(example.title),
                        "summary": .string(example.summary), "xml": .string(example.xml),
                    ])
                }))
    }
}
