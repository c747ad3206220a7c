import DefinitionModel
import Golden
import SourceGenerator
import Testing
import Waggle

/// Relations and their inverses.
@Suite struct RelationTests {
    /// A relation with the name of its target needs no qualifier; another one is named.
    @Test(arguments: [
        ("item", "order", "order", "items"), ("workOrder", "site", "site", "workOrders"),
        ("work_order", "site", "site", "workOrders"),
        ("film", "director", "person", "filmsByDirector"),
        ("box", "order", "order", "boxes"), ("city", "land", "land", "cities"),
        ("day", "week", "week", "days"), ("address", "person", "person", "addresses"),
        ("news", "site", "site", "news"), ("Item", "Order", "order", "items"),
        ("URLPath", "work_order", "workOrder", "urlPaths"), ("bus", "line", "line", "buses"),
    ])
    func inverseRelationsAreProperties(
        model name: String, field name2: String, target: String, property: String
    ) throws {
        let models = [
            model(target), model(name, [field(name2, .belongsTo(Relation(model: target)))]),
        ]
        let drafts = try generate(models)
        let type = drafts[1].path.dropLast(".swift".count)
        #expect(drafts[0].text.contains("\n    public var \(property): Waggle.Query<\(type)> {\n"))
    }

    @Test func fieldHasItsNameFirst() throws {
        let order = model("order", [field("items")])
        let item = model("item", [field("order", .belongsTo(Relation(model: "order")))])
        let text = try generate([order, item])[0].text
        #expect(text.contains("public var itemsRecords: Waggle.Query<MMDItem> {"))
    }

    @Test func inverseRelationsQueryByReference() {
        let home = Golden.Home(guid: "h")
        let expected = Query<Guest>().where(\.home == Reference<Golden.Home>(guid: "h"))
        #expect("\(home.guestsRecords)" == "\(expected)")
        let hidden = Query<Guest>().where(\.secondHome2 == home.reference)
        #expect("\(home.guestsBySecondHome2)" == "\(hidden)")
        #expect("\(home.homes)" == "\(Query<Golden.Home>().where(\.home == home.reference))")
    }
}
