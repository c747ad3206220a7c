import Testing

@testable import Waggle

@Suite("Records are kept on the device, by the rules of the server", .timeLimit(.minutes(5)))
struct RecordTests {
    let bench: DeviceBench
    let database: Waggle.Database

    init() async throws {
        bench = try await DeviceBench()
        database = try bench.database(mode: .development(group: "users"))
        try await database.logIn("a", password: "")
    }

    @Test func savedRecordsAreReadBack() async throws {
        var film = Film(title: "Solaris", score: 4, director: "Tarkovsky")
        try await database.save(film)
        var found = try #require(try await database.get(Film.self, guid: film.guid))
        #expect(found.title == "Solaris" && found.score == 4 && found.director == "Tarkovsky")
        #expect(found.owner == "a" && found.group == "users" && !found.isConflicted)

        found.score = nil
        try await database.save(found)
        film = try #require(try await database.get(guid: film.guid))
        #expect(film == found && film.score == nil)
        #expect(try await database.count(Film.self) == 1)
        try await database.remove(film)
        #expect(try await !database.exists(Film.self, guid: film.guid))
        #expect(try await database.list(Film.self).isEmpty)
    }

    @Test func unsentRemovalCanBeUndone() async throws {
        let film = Film(title: "Stalker")
        try await database.save(film)
        try await database.remove(film)
        try await database.save(film)
        #expect(try await database.get(Film.self, guid: film.guid)?.title == "Stalker")
    }

    @Test(arguments: [
        (Film(title: "Solaris", score: 6), "lessThanOrEqualTo", "score"),
        (Film(title: String(repeating: "x", count: 256)), "tooLong", "title"),
        (
            Film(title: "x", studio: Reference(guid: Film.newGuid())), "notFound",
            "studio"
        ),
    ])
    func limitRefusesAtOnce(film: Film, code: String, field: String) async throws {
        await #expect {
            try await database.save(film)
        } throws: { error in
            guard case .refused(let refusals)? = error as? DatabaseError else { return false }
            return refusals.map(\.code) == [code] && refusals.map(\.field) == [field]
        }
        #expect(try await database.list(Film.self).isEmpty)
    }

    @Test func uniqueValueIsGivenOnce() async throws {
        try await database.save(Studio(name: "Mosfilm"))
        await #expect(throws: DatabaseError.self) {
            try await database.save(Studio(name: "Mosfilm"))
        }
        try await database.save(Studio(name: "Lenfilm"))
    }

    @Test func transactionIsAtomic() async throws {
        let film = Film(title: "Solaris")
        await #expect(throws: DatabaseError.self) {
            try await database.transaction { transaction in
                try transaction.save(film)
                try transaction.save(Film(title: "Mirror", score: 9))
            }
        }
        #expect(try await database.list(Film.self).isEmpty)
        let count = try await database.transaction { transaction in
            try transaction.save(film)
            return try transaction.find(Query<Film>()).count
        }
        #expect(count == 1)
    }

    @Test func savingNeedsTheRight() async throws {
        let guest = try bench.database(on: "other", mode: .development(group: "guests"))
        try await guest.logIn("g", password: "")
        await #expect {
            try await guest.save(Film(title: "Solaris"))
        } throws: { error in
            guard case .refused(let refusals)? = error as? DatabaseError else { return false }
            return refusals.map(\.code) == ["noCredentialsToPerformOperationOnModel"]
        }
    }

    @Test func usersOfOneDeviceHaveTheirDataApart() async throws {
        try await database.save(Film(title: "Solaris"))
        try await database.logOut()
        await #expect(throws: DatabaseError.notLoggedIn) { try await database.list(Film.self) }
        try await database.logIn("b", password: "")
        #expect(try await database.list(Film.self).isEmpty)
        try await database.logIn("a", password: "")
        #expect(try await database.list(Film.self).map(\.title) == ["Solaris"])
    }

    @Test func queryIsObserved() async throws {
        var seen: [[String]] = []
        for try await films in try database.find(Film.self).order(by: \.title).observe() {
            seen.append(films.map(\.title))
            switch films.count {
            case 0: try await database.save(Film(title: "Solaris"))
            case 1: try await database.save(Film(title: "Mirror"))
            default: #expect(seen == [[], ["Solaris"], ["Mirror", "Solaris"]])
            }
            if films.count == 2 { break }
        }
        #expect(seen.count == 3)
    }
}

@Suite("What is asked for is found, and nothing else", .timeLimit(.minutes(5)))
struct SearchTests {
    let bench: DeviceBench
    let database: Waggle.Database
    let mosfilm = Studio(name: "Mosfilm")

    init() async throws {
        bench = try await DeviceBench()
        database = try bench.database(mode: .development(group: "users"))
        try await database.logIn("a", password: "")
        try await database.save(mosfilm)
        let films = [
            Film(title: "Solaris", score: 5, director: "Tarkovsky", studio: mosfilm.reference),
            Film(title: "Stalker", score: 4, director: "Tarkovsky"), Film(title: "Alien", score: 3),
            Film(title: "50% *off", score: nil),
        ]
        for film in films { try await database.save(film) }
    }

    @Test func conditions() async throws {
        let cases: [(Condition<Film>, [String])] = [
            (\.score >= 4, ["Solaris", "Stalker"]),
            (\.score == nil, ["50% *off"]),
            (\.score != nil, ["Alien", "Solaris", "Stalker"]),
            (\.score != 3, ["Solaris", "Stalker"]),
            (!(\.score == 3), ["50% *off", "Solaris", "Stalker"]),
            (\.score > 3 && \.title < "Sp", ["Solaris"]),
            (\.score == 3 || \.score == 5, ["Alien", "Solaris"]),
            (\.director == "Tarkovsky", ["Solaris", "Stalker"]),
            (\.studio == mosfilm.reference, ["Solaris"]),
            (\.title == \.director, []),
            (Condition(\.title, .hasPrefix("S")), ["Solaris", "Stalker"]),
            (Condition(\.title, .hasPrefix("s")), []),
            (Condition(\.title, .contains("al")), ["Stalker"]),
            (Condition(\.title, .hasSuffix("*off")), ["50% *off"]),
            (Condition(\.title, .isLike("%a_is")), ["Solaris"]),
            (Condition(\.title, .isLike("50\\%%")), ["50% *off"]),
            (Condition(\.score, .isIn([3, 4])), ["Alien", "Stalker"]),
            (Condition(\.score, .isIn(Int64(4)...100_000)), ["Solaris", "Stalker"]),
            (Condition(\.director, .isIn(["Tarkovsky", "?"])), ["Solaris", "Stalker"]),
            (Condition(\.studio, .isIn([mosfilm.reference])), ["Solaris"]),
            (\.values.owner == nil, []),
            (Condition(\.score, .isBetween(3...4)), ["Alien", "Stalker"]),
            (Condition(\.score, .isNull), ["50% *off"]),
            (Condition(\.score, .isNotNull), ["Alien", "Solaris", "Stalker"]),
            (\.owner == "a", ["50% *off", "Alien", "Solaris", "Stalker"]),
            (\.isConflicted == true, []),
        ]
        for (condition, titles) in cases {
            let search = database.find(Film.self).where(condition)
            let found = try await search.order(by: \.title).all()
            #expect(found.map(\.title) == titles, "\(condition)")
            #expect(try await search.count() == titles.count, "\(condition)")
        }
    }

    @Test func ordersAndPages() async throws {
        let all = database.find(Film.self).order(byDescending: \.score).order(by: \.title)
        #expect(try await all.all().map(\.title) == ["Solaris", "Stalker", "Alien", "50% *off"])
        #expect(try await all.skip(1).limit(to: 2).all().map(\.title) == ["Stalker", "Alien"])
        #expect(try await all.first()?.title == "Solaris")
        #expect(try await database.find(mosfilm.films).unique()?.title == "Solaris")
        await #expect(throws: DatabaseError.notUnique(model: "Film")) { try await all.unique() }
    }
}
