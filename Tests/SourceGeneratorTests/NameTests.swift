import DefinitionModel
import SourceGenerator
import Testing

/// The names of models and fields in Swift.
@Suite struct NameTests {
    @Test(arguments: [
        ("MMD", "conflictsEntity", "MMDConflictsEntity"),
        ("MMD", "work_order", "MMDWorkOrder"),
        ("MMD", "URLList", "MMDURLList"),
        ("MMD", "9lives", "MMD9lives"),
        ("", "Blog", "Blog"),
        ("", "9lives", "Model9lives"),
        ("", "_", "Model"),
        ("", "String", "StringModel"),
        ("", "date", "DateModel"),
        ("", "self", "SelfModel"),
        ("", "record", "RecordModel"),
        ("MMD", "record", "MMDRecord"), ("", "query", "QueryModel"), ("", "waggle", "WaggleModel"),
        ("Wag", "gle", "WagGle2"),
        ("MMD", "String", "MMDString"),
        ("U", "RL", "URLModel"),
    ])
    func typeIsCalledAfterItsModel(prefix: String, model name: String, type: String) throws {
        let drafts = try generate([model(name)], prefix: prefix)
        #expect(drafts[0].path == "\(type).swift")
        #expect(drafts[0].text.contains("struct \(type): "))
        #expect(drafts[0].text.contains("static let modelName = \"\(name)\"\n"))
    }

    @Test(arguments: [
        ("title", "title"), ("Title", "title"), ("unit_price", "unitPrice"), ("URL", "url"),
        ("URLPath", "urlPath"), ("HTTP2", "http2"), ("_x", "x"), ("_", "field"), ("_1", "field1"),
        ("class", "`class`"), ("await", "`await`"), ("Type", "type"),
        ("guid", "guidField"), ("owner", "ownerField"), ("group", "groupField"), ("id", "idField"),
        ("conflicted", "conflicted"), ("values", "valuesField"), ("reference", "referenceField"),
        ("isConflicted", "isConflictedField"), ("hashValue", "hashValueField"),
        ("init", "initField"),
        ("self", "selfField"), ("Self", "selfField"), ("description", "description"),
    ])
    func propertyIsCalledAfterItsField(field name: String, property: String) throws {
        let text = try generate([model("m", [field(name)])])[0].text
        #expect(text.contains("\n    public var \(property): String?\n"))
        #expect(text.contains("\n        case \\Self.\(property): .field(\"\(name)\")\n"))
    }

    @Test func propertiesThatBecomeOneAreNumbered() throws {
        let names = ["UnitPrice", "unit_price", "unitPrice"]
        let expected = [
            "UnitPrice": "unitPrice2", "unit_price": "unitPrice3", "unitPrice": "unitPrice",
        ]
        for order in permutations(of: names) {
            let text = try generate([model("m", order.map { field($0) })])[0].text
            for (name, property) in expected {
                #expect(
                    text.contains("\n        case \\Self.\(property): .field(\"\(name)\")\n"),
                    "\(order)")
            }
        }
    }

    /// Some file systems ignore case, so type names must differ in more than case.
    @Test func typesThatBecomeOneAreNumbered() throws {
        let names = ["WorkOrder", "work_order", "workOrder", "workorder"]
        let expected = [
            "WorkOrder": "WorkOrder", "workOrder": "WorkOrder2", "work_order": "WorkOrder3",
            "workorder": "Workorder4",
        ]
        for order in permutations(of: names) {
            let drafts = try generate(order.map { model($0) }, prefix: "")
            let paths = order.map { expected[$0].map { "\($0).swift" } }
            #expect(drafts.dropLast().map(\.path) == paths)
        }
    }

    @Test func relationNamesTypeOfItsTarget() throws {
        let item = model("item", [field("order", .belongsTo(Relation(model: "String")))])
        let text = try generate([item, model("String")], prefix: "")[0].text
        #expect(text.contains("/// The ``StringModel`` that it belongs to.\n"))
    }
}

func generate(_ models: [Model], prefix: String = "MMD") throws -> [SourceDraft] {
    try Generator(language: "swift", prefix: prefix).drafts(of: definition(models))
}

private func permutations(of names: [String]) -> [[String]] {
    guard !names.isEmpty else { return [[]] }
    return names.indices.flatMap { index in
        var rest = names
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
