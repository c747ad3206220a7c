import DefinitionModel
import Mustache
import Templates
import Testing

@testable import SourceGenerator

/// A template finds every property of a view by its name.
@Suite struct ViewTests {
    @Test(arguments: ["swift", "typescript"])
    func everyPropertyOfViewIsFoundByItsName(language: String) throws {
        for view in try allViews(language: language) {
            let parent = try #require(view as? any MustacheParent, "\(type(of: view))")
            for (name, value) in Mirror(reflecting: view).children {
                let name = try #require(name)
                let wanted = unwrapped(value).map { "\($0)" }
                #expect(parent.child(named: name).map { "\($0)" } == wanted, "\(name)")
            }
            #expect(parent.child(named: "noSuchName") == nil)
        }
    }

    @Test func viewsOfEveryKindAreCompared() throws {
        let kinds = Set(try allViews(language: "swift").map { "\(type(of: $0))" })
        #expect(
            kinds == [
                "CaseView", "CommentLine", "DateView", "DecimalView", "DefinitionView",
                "EnumerationView", "FieldView", "FormatView", "IntegerView", "InverseView",
                "JoinView", "ModelView", "RelationView", "TextView",
            ])
    }
}

/// Those of a definition with a field of each kind, from the outside in.
private func allViews(language: String) throws -> [Any] {
    let fields = [
        field("json", .text(TextLimits(format: TextFormat(.json)))),
        field("geo", .text(TextLimits(format: TextFormat(.geo)))),
        field("bytes", .text(TextLimits(format: TextFormat(.base64)))),
        field("text"), field("few", .text(TextLimits(allowedValues: ["a", "b"]))),
        field("integer", .integer(IntegerLimits())), field("decimal", .decimal(DecimalLimits())),
        field("boolean", .boolean), field("date", .date(DateLimits())), field("file", .file),
        field("parent", .belongsTo(Relation(model: "item", analyzesConflict: true))),
    ]
    let item = Model(
        name: "item", description: "first\nsecond", fields: fields,
        credentials: RoleTable(), place: nowhere)
    let language = try Language(named: language)
    let view = DefinitionView(
        definition([item, pairs("peers", of: "item", with: "item")]), compiled: "{}", prefix: .none,
        dialect: language.dialect(prefix: .none))
    return views(in: view)
}

private func views(in value: Any) -> [Any] {
    let members = Mirror(reflecting: value).children.map(\.value)
    let inner = members.flatMap(views)
    return Mirror(reflecting: value).displayStyle == .struct && !members.isEmpty
        ? [value] + inner : inner
}

private func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
}
