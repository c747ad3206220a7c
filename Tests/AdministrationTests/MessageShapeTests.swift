import Administration
import JSON
import Testing

@Suite struct MessageShapeTests {
    private let shape = MessageShape.object([
        MessageMember("name", .text("ann")),
        MessageMember("tags", .list(.word(["a", "b"])), isRequired: false),
        MessageMember("until", .optional(.number(1)), isRequired: false),
        MessageMember("on", .flag, isRequired: false),
    ])

    private func fault(_ json: String) throws -> String? {
        let value = try parseJSON(Array(json.utf8))
        do {
            try shape.check(value)
            return nil
        } catch {
            return error.fault
        }
    }

    @Test(arguments: [
        (#"{"name":"x"}"#, nil), (#"{"name":"x","tags":["a","b"],"until":null,"on":true}"#, nil),
        ("[]", "the body is of another type"), ("{}", "'name' is missing"),
        (#"{"name":null}"#, "'name' is of another type"),
        (#"{"name":"x","tags":["a","c"]}"#, "'tags[1]' is of another type"),
        (#"{"name":"x","until":1.5}"#, "'until' is of another type"),
        (#"{"name":"x","on":1}"#, "'on' is of another type"),
        (#"{"name":"x","nam":1}"#, "there is no member 'nam'"),
    ])
    func aMessageIsChecked(json: String, expected: String?) throws {
        #expect(try fault(json) == expected)
    }
}
