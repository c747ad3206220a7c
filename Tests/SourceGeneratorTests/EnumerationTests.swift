import DefinitionModel
import Foundation
import Golden
import SourceGenerator
import Testing
import Waggle

/// The types of text fields with allowed values.
@Suite struct EnumerationTests {
    @Test(arguments: [
        ("open", "open"), ("Open", "open"), ("OPEN", "open"), ("in work", "inWork"),
        ("IN_WORK", "inWork"), ("on-hold", "onHold"), ("1st", "value1st"), ("", "value"),
        ("+", "value"), ("default", "`default`"), ("other", "otherValue"), ("none", "noneValue"),
        ("rawValue", "rawValueValue"), ("self", "selfValue"), ("Grüße", "grüße"), ("蜂", "蜂"),
        ("e\u{301}", "value"), ("iOS", "iOS"), ("HTTPError", "httpError"),
    ])
    func caseIsCalledAfterItsValue(value: String, name: String) throws {
        let text = try generate([model("m", [chosen("f", from: [value])])])[0].text
        #expect(text.contains("\n        case \(name)\n"))
        #expect(text.contains("allCases: [Self] = [.\(name)]\n"))
        #expect(text.contains("\n            case .\(name): "))
    }

    @Test(arguments: [
        ("status", "Status"), ("STATUS", "Status"), ("work_status", "WorkStatus"),
        ("string", "StringValue"), ("type", "TypeValue"), ("record", "RecordValue"),
        ("MMDM", "Mmdm"), ("default", "Default"),
    ])
    func typeIsCalledAfterItsField(field: String, name: String) throws {
        let text = try generate([model("m", [chosen(field, from: ["a"])])])[0].text
        #expect(text.contains("enum \(name): Waggle.AllowedValue {\n"))
        #expect(text.contains(": \(name)?\n"))
    }

    @Test func typeHidesNoModel() throws {
        let models = [model("m", [chosen("site", from: ["a"])]), model("site")]
        let text = try generate(models, prefix: "")[0].text
        #expect(text.contains("enum SiteValue: "))
    }

    @Test(arguments: [
        ([everyone: AccessLevel.all], "Status = .inWork"),
        ([:], "Waggle.Visible<Status> = .value(.inWork)"),
    ])
    func defaultIsCase(read: [Role: AccessLevel], parameter: String) throws {
        let field = chosen("status", from: ["done", "in work"], default: "in work", read: read)
        let text = try generate([model("m", [field])])[0].text
        #expect(text.contains("\n        status: \(parameter)\n"))
    }

    @Test func valueIsReadAndWrittenAsItIs() throws {
        for (text, status) in [
            ("in work", Guest.Status.inWork3), ("inWork", .inWork), ("", .value),
            ("later", .other("later")),
        ] {
            let json = """
                {"model": "guest", "guid": "g", "owner": "", "group": "", "conflicted": false,
                 "fields": {"home": "h", "status": "\(text)"}}
                """
            let guest = try JSONDecoder().decode(Guest.self, from: Data(json.utf8))
            #expect(guest.status == status && guest.status.rawValue == text)
            #expect(guest.status2.isHidden)
            let again = try JSONEncoder().encode(guest)
            #expect(try JSONDecoder().decode(Guest.self, from: again).status == status)
        }
    }

    @Test func anotherTextIsNeverAllowedOne() throws {
        #expect(Guest.Status.other("inWork") == .inWork)
        #expect(Set([Guest.Status.other("inWork"), .inWork]).count == 1)
        let model = try #require(
            try GoldenCase.clashes.definition.models.first { $0.name == "guest" })
        guard case .text(let limits)? = model.fields.first(where: { $0.name == "status" })?.type
        else { return }
        #expect(Guest.Status.allCases.map(\.rawValue) == limits.allowedValues)
    }

    @Test func enumerationCanBeAskedFor() {
        let query = Query<Guest>().where(\.status == .inWork).where(\.status2, .isIn([.a]))
        #expect("\(query)".contains("inWork"))
    }
}

private func chosen(
    _ name: String, from values: [String], default value: String? = nil,
    read: [Role: AccessLevel] = [everyone: .all]
) -> Field {
    field(
        name, .text(TextLimits(allowedValues: values)), required: value != nil,
        default: value.map { .text($0) }, read: read)
}
