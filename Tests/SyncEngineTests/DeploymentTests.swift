import DefinitionModel
import Testing

@testable import SyncEngine

@Suite("A definition replaces another where stored values keep their type")
struct DeploymentTests {
    private func definition(_ models: [(name: String, fields: [String])]) throws -> Definition {
        let models = models.map { name, fields in
            "<model name=\"\(name)\"><fields>\n\(fields.joined(separator: "\n"))\n"
                + "</fields></model>"
        }
        return try checked(
            """
            <application xmlns="http://schema.mobeelizer.com/application" application="a"
              vendor="v">
              <devices><device name="mobile"/></devices>
              <groups><group name="users"/></groups>
              <roles><role group="users" device="mobile"/></roles>
              <models>
            \(models.joined(separator: "\n"))
              </models>
            </application>
            """)
    }

    private func field(_ name: String, _ type: String) -> String {
        "<field name=\"\(name)\" type=\"\(type)\"/>"
    }

    @Test func aFieldOfAnotherTypeClashesAtItsPlaceInTheNewOne() throws {
        let old = try definition([
            ("Note", [field("a", "TEXT"), field("b", "INTEGER")]), ("Page", [field("a", "DATE")]),
        ])
        let new = try definition([
            ("Page", [field("a", "TEXT")]),
            ("Note", [field("b", "INTEGER"), field("a", "DECIMAL")]),
        ])
        #expect(
            storedTypeClashes(from: old, to: new) == [
                StoredTypeClash(
                    model: "Page", field: "a", old: .date, new: .text,
                    place: SourcePlace(line: 8, column: 1)),
                StoredTypeClash(
                    model: "Note", field: "a", old: .text, new: .decimal,
                    place: SourcePlace(line: 12, column: 1)),
            ])
    }

    @Test func whatIsNewOrGoneOrTheSameClashesWithNothing() throws {
        let old = try definition([
            ("Note", [field("a", "TEXT"), field("gone", "DATE")]), ("Gone", [field("a", "DATE")]),
        ])
        let new = try definition([
            ("Note", [field("a", "TEXT"), field("new", "DATE")]), ("New", [field("gone", "TEXT")]),
        ])
        #expect(storedTypeClashes(from: old, to: new).isEmpty)
    }
}
