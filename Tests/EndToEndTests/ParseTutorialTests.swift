import Foundation
import JSON
import Testing

@Suite("The app of a tutorial for Parse works unchanged")
struct ParseTutorialTests {
    @Test func holidaysAndBirthdaysGoBothWays() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Dates"), arguments: ["--parse"])
        var phone = try await TutorialEngine.signedIn("a", "p", to: server)
        var tablet = try await TutorialEngine.signedIn("a", "t", to: server)
        phone.create(
            try await picturedOccasion("Christmas", "holiday", picture: "tree", phone.client))
        tablet.create(
            try await picturedOccasion("Anna", "birthday", picture: "cake", tablet.client))
        try await tablet.sync()
        try await phone.sync()
        tablet.forgetTimes()
        try await tablet.sync()
        // As sets: the engine may make a twin of a row, see `placesAreCompared`.
        #expect(Set(phone.names) == ["Anna", "Christmas"])
        #expect(Set(tablet.names) == Set(phone.names))
        let (holiday, birthday) = (try tablet.id(of: "Christmas"), try phone.id(of: "Anna"))
        #expect(try await tablet.picture(of: holiday) == "tree")
        #expect(try await phone.picture(of: birthday) == "cake")
        // A row of the last millisecond of its second would be received again.
        try await server.site.sql("UPDATE records SET changed_at = changed_at / 1000 * 1000")
        phone.create(occasion("Easter"))
        tablet.delete(holiday)
        phone.delete(birthday)
        try await phone.sync()
        // A row that is received is no longer one to delete, so the deletion goes first.
        try await tablet.sync()
        tablet.forgetTimes()
        try await tablet.sync()
        try await phone.sync()
        #expect(Set(phone.names) == ["Easter"] && Set(tablet.names) == ["Easter"])
    }

    private func picturedOccasion(
        _ name: String, _ kind: String, picture: String, _ client: ParseClient
    ) async throws -> [String: JSONValue] {
        let file = try await client.get(
            "POST", "/files/picture.png",
            ["base64": .string(Data(picture.utf8).base64EncodedString())])
        var values = occasion(name)
        values["kind"] = .string(kind)
        values["picture"] = .object(["__type": "File", "name": file["name"] ?? .null])
        return values
    }
}

/// A fault of the engine of the tutorial, in the words of the page *Coming from Parse*.
enum TutorialFault: String, CaseIterable, Sendable {
    case listHasNoLimit = "lists a class without `limit`, and treats missing objects as deleted"
    case emptyListIsSkipped = "ignores an empty list, so that the last deleted object stays"
    case restOfSecondIsMissed = "asks for changes after the end of the newest second"
    case everythingIsListed = "lists everything with each sync"
    case editsAreNotSent = "never sends an edit"
    case editsAreOverwritten = "overwrites an edit with what it receives"
    case lostAnswerRepeats = "creates an object again when the response was lost"
    case secondDeletionFails = "treats 404 on a deletion as a failure, and repeats it for ever"
    case hiddenIsDeleted = "deletes objects that its user no longer sees"
    case childrenComeFirst = "sends children before their parents"
    case placesAreCompared = "compares lists by position, and duplicates rows"

    /// Whether the server prevents the harm.
    var isHarmless: Bool {
        switch self {
        case .listHasNoLimit, .everythingIsListed, .hiddenIsDeleted, .childrenComeFirst: true
        case .emptyListIsSkipped, .restOfSecondIsMissed, .editsAreNotSent, .editsAreOverwritten,
            .lostAnswerRepeats, .secondDeletionFails, .placesAreCompared:
            false
        }
    }
}

@Suite("The faults of the engine of a tutorial for Parse")
struct TutorialFaultTests {
    @Test(arguments: TutorialFault.allCases)
    func harmIsAsListed(fault: TutorialFault) async throws {
        let site = try await Site(prepared: "Dates")
        // The next changes come in one second.
        try await site.sql("UPDATE environments SET last_stamp = 4000000000000")
        let server = try await RunningServer(
            site: site, arguments: ["--parse", "--parse-default-limit", "1000"])
        var pair = try await TutorialPair(server)
        #expect(try await pair.isHarmed(by: fault) != fault.isHarmless)
    }

    @Test(arguments: TutorialFault.allCases)
    func pageListsFault(fault: TutorialFault) throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/Waggle/Documentation.docc/Parse.md"),
            encoding: .utf8)
        #expect(page.contains("| \(fault.rawValue) | \(fault.isHarmless ? "yes" : "no"),"))
    }
}

/// Two devices of one user, in sync, which both have an occasion, and a device of another user.
private struct TutorialPair {
    private var phone: TutorialEngine
    private var tablet: TutorialEngine
    private var other: TutorialEngine

    init(_ server: RunningServer) async throws {
        phone = try await TutorialEngine.signedIn("a", "p", to: server)
        tablet = try await TutorialEngine.signedIn("a", "t", to: server)
        other = try await TutorialEngine.signedIn("b", "o", to: server)
        phone.create(occasion("c", id: "c"))
        try await phone.sync()
        try await tablet.sync()
        try await other.sync()
    }

    mutating func isHarmed(by fault: TutorialFault) async throws -> Bool {
        switch fault {
        case .listHasNoLimit: try await losesLongList()
        case .emptyListIsSkipped: try await keepsLastRow()
        case .restOfSecondIsMissed: try await missesRestOfSecond()
        case .everythingIsListed: try await changesBySyncing()
        case .editsAreNotSent: try await keepsEdit()
        case .editsAreOverwritten: try await losesEdit()
        case .lostAnswerRepeats: try await createsTwice()
        case .secondDeletionFails: try await deletesForEver()
        case .hiddenIsDeleted: try await deletesHidden()
        case .childrenComeFirst: try await losesChild()
        case .placesAreCompared: try await makesTwin()
        }
    }

    private mutating func losesLongList() async throws -> Bool {
        for number in 0..<120 { phone.create(occasion("\(number)")) }
        for _ in 0..<2 { try await phone.sync() }
        return phone.occasions.count != 121
    }

    private mutating func keepsLastRow() async throws -> Bool {
        phone.delete("c")
        try await phone.sync()
        try await tablet.sync()
        return !tablet.occasions.isEmpty
    }

    private mutating func missesRestOfSecond() async throws -> Bool {
        phone.create(occasion("new"))
        try await phone.sync()
        try await tablet.sync()
        return tablet.names != ["c", "new"]
    }

    private mutating func changesBySyncing() async throws -> Bool {
        for _ in 0..<3 { try await phone.sync() }
        return phone.names != ["c"]
    }

    private mutating func keepsEdit() async throws -> Bool {
        phone.edit("c", "details", "mine")
        try await phone.sync()
        return try await details() != "mine"
    }

    private mutating func losesEdit() async throws -> Bool {
        phone.edit("c", "details", "mine")
        _ = try await tablet.client.get("PUT", "/classes/Occasion/c", ["link": "https://x"])
        phone.forgetTimes()
        try await phone.sync()
        return phone.occasions.first?.values["details"] != "mine"
    }

    private mutating func createsTwice() async throws -> Bool {
        phone.create(occasion("new"))
        try await phone.sync()
        phone.loseAnswer(to: try phone.id(of: "new"))
        try await phone.sync()
        return try await tablet.client.find("Occasion").count != 2
    }

    private mutating func deletesForEver() async throws -> Bool {
        phone.create(occasion("stays"))
        phone.delete("c")
        tablet.delete("c")
        try await phone.sync()
        for _ in 0..<2 { try await tablet.sync() }
        return tablet.occasions.contains { $0.status == .deleted }
    }

    private mutating func deletesHidden() async throws -> Bool {
        other.receive(occasion("c", id: "c"))
        other.delete("c")
        try await other.sync()
        return try await phone.client.find("Occasion").count != 1
    }

    private mutating func losesChild() async throws -> Bool {
        phone.create(
            ["occasion": .pointer("Occasion", "p"), "idea": "book", "bought": .boolean(false)],
            of: "Gift")
        phone.create(occasion("parent", id: "p"))
        try await phone.sync()
        let first = try await phone.client.find("Gift").count
        try await phone.sync()
        return try await phone.client.find("Gift").count != 1 || first != 0
    }

    private mutating func makesTwin() async throws -> Bool {
        _ = try await phone.client.create("Occasion", occasion("b", id: "b"))
        _ = try await phone.client.get("PUT", "/classes/Occasion/c", ["details": "more"])
        tablet.forgetTimes()
        try await tablet.sync()
        return tablet.names != ["b", "c"]
    }

    private func details() async throws -> JSONValue? {
        try await tablet.client.get("GET", "/classes/Occasion/c")["details"]
    }
}

extension TutorialEngine {
    static func signedIn(
        _ login: String, _ installation: String, to server: RunningServer
    ) async throws -> TutorialEngine {
        TutorialEngine(
            try await ParseClient.signedIn(
                login, to: server, manner: .body, installation: installation))
    }
}

private func occasion(_ name: String, id: String? = nil) -> [String: JSONValue] {
    var values: [String: JSONValue] = [
        "kind": "holiday", "name": .string(name),
        "date": .object(["__type": "Date", "iso": "2026-12-24T00:00:00.000Z"]),
    ]
    if let id { values["objectId"] = .string(id) }
    return values
}
