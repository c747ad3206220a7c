import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import Testing

@testable import AzureWire

/// The parameters of lists, and the finds that they become.
extension QuestionTests {
    private func question(
        _ query: String, _ dialect: ClientGeneration = .apps
    ) throws(QuestionFault) -> TableQuestion {
        try TableQuestion(try URLParameters(query: query), dialect)
    }

    @Test func parametersAreReadInAnyEncoding() throws {
        let question = try question(
            "%24filter=(title+eq%20%27a%27)&$orderby=title%20desc,year&$SKIP=3&$top=7"
                + "&$inlinecount=allpages&__INCLUDEDELETED=true&mine=1")
        #expect(question.filter == .compare(.eq, .field("title"), .constant(.text("a"))))
        #expect(question.order.map(\.name) == ["title", "year"])
        #expect(question.order.map(\.descends) == [true, false])
        #expect(question.skip == 3 && question.top == 7 && question.counts)
        #expect(question.includesDeleted && question.columns == nil)
    }

    @Test(arguments: [
        "$top=-1", "$top=1001", "$skip=x", "$count=maybe", "$orderby=a+b+c", "$other=1",
        "__systemproperties=colour", "$filter=%zz",
    ]) func parameterIsRefused(query: String) {
        #expect(throws: QuestionFault.self) { try question(query) }
    }

    private func client(features: String) throws -> ClientTraits {
        try ClientTraits(
            method: "GET", parameters: URLParameters(query: "")
        ) { ["zumo-api-version": "2.0.1", "x-zumo-features": features][$0] }
    }

    @Test(arguments: ["$select=colour", "$select=title,colour"])
    func unknownColumnIsRefused(query: String) throws {
        let translation = try translation()
        #expect(throws: QuestionFault.self) {
            try question(query).find(in: translation.table, through: translation)
        }
    }

    @Test(arguments: [
        "$select=TITLE,id,updatedAt,__version", "$select=*", "$select=year,*", "",
    ])
    func knownColumnsAreSelected(query: String) throws {
        let translation = try translation()
        let find = try question(query).find(in: translation.table, through: translation)
        #expect(find.fields == (query.contains("TITLE") ? ["name"] : nil))
        #expect(find.isByCreation)
    }

    @Test(
        arguments: [
            ("title desc,YEAR", ["name", "year"]), ("year,year desc,title", ["year", "name"]),
            ("createdAt", ["$createdAt"]), ("__updatedAt desc", ["$changedAt"]),
            ("deleted,id", ["$deleted", "$id"]), ("sequel", ["sequel"]),
        ] as [(String, [String])])
    func listIsSorted(order: String, operands: [String]) throws {
        let translation = try translation()
        let question = try question("$orderby=\(order.replacing(" ", with: "%20"))&$top=9")
        let find = try question.find(in: translation.table, through: translation)
        #expect(find.sort.map(\.operand) == operands && !find.isByCreation)
    }

    /// Nobody could tell what such an order means.
    @Test(
        arguments: ["version", "__version desc", "title,version", "poster", "colour"],
        ClientGeneration.allCases)
    func orderIsRefused(order: String, dialect: ClientGeneration) throws {
        let translation = try translation(dialect)
        let question = try question(
            "$orderby=\(order.replacing(" ", with: "%20"))", dialect)
        #expect(throws: QuestionFault.self) {
            try question.find(in: translation.table, through: translation)
        }
    }

    /// A list of more rows than can be sorted comes owner by owner, unless it has deleted rows.
    @Test(arguments: [
        ("", true), ("$skip=3", true), ("__includeDeleted=true", false),
        ("$inlinecount=allpages", false), ("$orderby=title", false),
    ])
    func longListMayComeByOwner(query: String, may: Bool) throws {
        let translation = try translation()
        let find = try question(query).find(in: translation.table, through: translation)
        #expect((find.byOwner != nil) == may)
        #expect(find.byOwner?.isByCreation != true)
    }

    @Test func stepOfPullSkipsRowsAtItsBoundOnly() throws {
        let filter = "$filter=updatedAt%20ge%20datetime'1970-01-01T00:00:00.005Z'"
        let order = "&$orderby=updatedAt"
        let client = try client(features: "OL")
        let first = try question(filter + order).meant(by: client)
        #expect(first.isPull && first.includesDeleted && first.after == nil)
        let next = try question(filter + order + "&$skip=1").meant(by: client)
        #expect(next.skip == 0 && next.after == 5)
        let list = try question(filter + "&$skip=1").meant(by: client)
        #expect(!list.isPull && list.skip == 1 && list.after == nil)
        // A bound is one row: who skips more lists rows by positions.
        let position = try question(filter + order + "&$skip=2").meant(by: client)
        #expect(position.skip == 2 && position.after == nil)
    }

    @Test(
        arguments: [
            ("$orderby=updatedAt&__includedeleted=true", .datasync, 100),
            ("$orderby=updatedAt&__includedeleted=true&waggleafter=7", .datasync, 1000),
            ("$orderby=updatedAt%20desc&waggleafter=7", .datasync, 100), ("", .datasync, 100),
            ("$orderby=updatedAt&__includedeleted=true&waggleafter=7", .apps, 50),
        ] as [(String, ClientGeneration, Int)])
    func pageHasRows(query: String, dialect: ClientGeneration, rows: Int) throws {
        #expect(try question(query, dialect).standardRows == rows)
    }

    /// A list that begins at a time is no pull unless its client says so.
    @Test func listMayBeginAtTime() throws {
        let query =
            "$filter=updatedAt%20ge%20datetime'1970-01-01T00:00:00.005Z'&$orderby=updatedAt&$skip=1"
        for (features, deleted, isPull) in [
            ("", "", false), ("TT", "", false), ("OL", "", true),
            ("", "&__includeDeleted=true", true),
        ] {
            let meant = try question(query + deleted).meant(by: client(features: features))
            #expect(meant.isPull == isPull, "\(features) \(deleted)")
            #expect(meant.skip == (isPull ? 0 : 1) && meant.after == (isPull ? 5 : nil))
            // In an order in which the engine can read.
            let translation = try translation()
            let find = try meant.find(in: translation.table, through: translation)
            #expect(find.sort == [FindQuery.SortKey("$changedAt")] && !find.isByCreation)
        }
    }

    /// A filter of the client may have a bound of its own, before or after that of the pull.
    @Test(arguments: [
        "updatedAt ge datetime'1970-01-01T00:00:00.005Z' and "
            + "updatedAt ge datetime'1970-01-01T00:00:00.009Z'",
        "updatedAt ge datetime'1970-01-01T00:00:00.009Z' and "
            + "updatedAt gt datetime'1970-01-01T00:00:00.005Z'",
    ]) func latestBoundIsThatOfPull(filter: String) throws {
        var question = try question("$orderby=updatedAt&$skip=1")
        question.filter = try QuestionParser.expression(of: filter)
        let meant = try question.meant(by: client(features: "OL"))
        #expect(meant.skip == 0 && meant.after == 9)
    }

    private static let bound = "$filter=updatedAt%20gt%20cast(1970-01-01T00:00:00.005Z,Edm.Date)"

    @Test(
        arguments: [
            // The first pull of Datasync, its later ones, and those of its earliest versions.
            ("$orderby=updatedAt&$count=true", .datasync, true, true),
            (
                bound + "&$orderby=updatedAt&$count=true&__includedeleted=true", .datasync, true,
                false
            ),
            (bound + "&__includedeleted=true", .datasync, true, false),
            ("$orderby=updatedAt", .datasync, true, false),
            ("$orderby=updatedAt&$count=true&waggleafter=7", .datasync, true, false),
            ("$count=true", .datasync, false, false),
            ("$orderby=updatedAt%20desc&$count=true", .datasync, false, false),
            ("$orderby=updatedAt&$inlinecount=allpages", .apps, false, false),
            (bound, .apps, false, false),
            (bound + "&$orderby=updatedAt&$inlinecount=allpages", .apps, false, false),
            (bound + "&$orderby=updatedAt&__includedeleted=true", .apps, true, false),
            // A column of the first generation, which writes the system property with underscores.
            ("$orderby=updatedAt&__includedeleted=true", .services, false, false),
            ("$orderby=__updatedAt&__includedeleted=true", .services, true, false),
        ] as [(String, ClientGeneration, Bool, Bool)])
    func pullIsTold(
        query: String, dialect: ClientGeneration, isPull: Bool, needsEnd: Bool
    ) throws {
        let question = try question(query, dialect)
        #expect(question.isPull == isPull && question.needsEnd == needsEnd)
    }

    /// Which follows links to the rest, whose positions are those of the list.
    @Test func thirdGenerationMayAskForManyRows() throws {
        #expect(try question("$top=5000", .datasync).top == 5000)
        let list = try question(
            "$orderby=updatedAt&$skip=20"
                + "&$filter=updatedAt%20ge%20cast(1970-01-01T00:00:00.005Z,Edm.Date)", .datasync)
        #expect(list.meant(by: .unknown).skip == 20)
    }

    @Test func linkEndsWithWhatPullBeganWith() throws {
        let table = try translation().table
        let link = try question("$orderby=updatedAt&waggleafter=5&waggleuntil=9", .datasync)
        let find = try link.find(in: table, through: try translation())
        #expect(
            find.filter
                == .and([
                    .compare(.gt, operand: "$changedAt", with: .value(5)),
                    .compare(.le, operand: "$changedAt", with: .value(9)),
                    .compare(.eq, operand: "$deleted", with: .value(.boolean(false))),
                ]))
    }
}
