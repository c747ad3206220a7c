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

    @Test func joinedRecordsAreProperties() throws {
        let models = [model("team"), model("player"), pairs("players", of: "team", with: "player")]
        let text = try generate(models)[0].text
        #expect(
            text.hasSuffix(
                """
                    /// Each ``MMDPlayer`` that a ``MMDTeamPlayers`` joins with this record.
                    public var players: Waggle.Query<MMDPlayer> {
                        let pairs = Waggle.Query<MMDTeamPlayers>()\
                .where(\\.holder == self.reference)
                        return Waggle.Query().where(.isNamed(by: \\.joined, of: pairs))
                    }
                }

                """))
        #expect(try !generate(models)[1].text.contains("isNamed"))
    }

    /// Fields and inverse relations have their names first.
    @Test func joinGivesWay() throws {
        let team = model("team", [field("players")])
        let fan = model("fan", [field("team", .belongsTo(Relation(model: "team")))])
        let text = try generate(
            [
                team, fan, pairs("players", of: "team", with: "fan"),
                pairs("fans", of: "team", with: "fan"),
            ]
        )[0].text
        for name in ["playersRecords", "fans", "fansRecords"] {
            #expect(text.contains("public var \(name): Waggle.Query<MMDFan> {"), "\(text)")
        }
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
