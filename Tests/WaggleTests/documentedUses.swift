import Foundation
import Waggle

// The examples of the pages for app developers. A house test compares them with the pages.

func openDatabase(_ definition: AppDefinition) async throws -> Waggle.Database {
    let server = URL(string: "https://films.example.org") ?? URL(filePath: "/")
    let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let settings = Settings(
        mode: .production, server: server, deviceCategory: "mobile",
        folder: folder.appending(path: "films"))
    let database = try Database(definition, settings)
    try await database.logIn("anna", password: "secret")
    return database
}

func useFilms(_ settings: Settings, _ password: String) async throws -> [Film] {
    let database = try Database(.films, settings)
    try await database.logIn("anna", password: password)
    try await database.save(Film(title: "Solaris", score: 4))
    let good = try await database.find(Film.self).where(\.score >= 3).order(by: \.title).all()
    try await database.sync()
    return good
}

func editAndFind(_ database: Waggle.Database) async throws {
    var film = Film(title: "Solaris", score: 4)
    try await database.save(film)
    film.score = 5
    try await database.save(film)

    let good = try await database.find(Film.self)
        .where(\.score >= 3 && \.director != nil)
        .order(byDescending: \.score).order(by: \.title)
        .limit(to: 20).all()
    let cinema = try await database.find(Film.self)
        .where(\.title, .hasPrefix("S"))
        .where(!(\.score == nil))
        .count()
    print(good.map(\.title), cinema)
}

func findInside(
    _ database: Waggle.Database, _ here: GeoPoint, _ southWest: GeoPoint, _ northEast: GeoPoint
) async throws {
    let wide = try await database.find(Reel.self)
        .where(\.size, .inside(["width"], .isGreater(than: 30)))
        .where(!Condition(\.notes, .inside(["tags"], .hasAll(["cut", "lost"]))))
        .all()
    let near = try await database.find(Reel.self)
        .where(Distance(\.shotAt, from: here) <= 5000)
        .order(by: Distance(\.shotAt, from: here))
        .limit(to: 10).all()
    let inside = try await database.find(Reel.self)
        .where(\.shotAt, .isInBox(southWest: southWest, northEast: northEast))
        .count()
    print(wide.count, near.map(\.guid), inside)
}

func follow(_ database: Waggle.Database, _ film: Film) async throws {
    if let studio = film.studio {
        print(try await database.get(studio)?.name ?? "a studio that is not seen here")
    }
    switch film.director {
    case .value(let name): print("directed by \(name)")
    case .null: print("nobody has said who directed it")
    case .hidden: print("who directed it is not yours to see")
    }
}

func transact(_ database: Waggle.Database, _ studio: Studio) async throws {
    try await database.transaction { transaction in
        try transaction.save(studio)
        try transaction.save(Film(title: "Mirror", studio: studio.reference))
    }
}

func refuse(_ database: Waggle.Database) async {
    do {
        try await database.save(Film(title: "Solaris", score: 9))
    } catch .refused(let refusals) {
        for refusal in refusals { print(refusal.field ?? "", refusal.message) }
    } catch {
        print(error)
    }
}

func checkAForm(_ database: Waggle.Database, _ film: Film) async throws {
    for refusal in try await database.refusals(saving: film) {
        print(refusal.field ?? "", refusal.message)
    }
}

func observe(_ database: Waggle.Database) async throws {
    for try await films in try database.find(Film.self).order(by: \.title).observe() {
        print(films.map(\.title))
    }
}

func synchronize(_ database: Waggle.Database) async throws {
    let summary = try await database.sync()
    print("\(summary.accepted) sent, \(summary.received) received")

    try await database.syncAutomatically(every: .seconds(30))
}

func importRow(_ database: Waggle.Database, _ row: [String: String]) async throws {
    var record = RecordValues(model: "Film", guid: Film.newGuid())
    for field in database.definition.fields(ofModel: record.model) {
        guard let text = row[field.name] else { continue }
        record[field.name] = try field.value(writtenAs: text)
    }
    try await database.save(record)
}

func settle(_ database: Waggle.Database) {
    database.onConflict(of: Film.self) { conflict in
        guard let server = conflict.server, var merged = conflict.client else { return .useServer }
        merged.title = server.title
        return .useMerged(merged)
    }
}

func resolve(_ database: Waggle.Database) async throws {
    for conflict in try await database.conflicts(of: Film.self) {
        guard let mine = conflict.sides.last?.mine else { continue }
        try await database.resolve(mine)
    }
}

func mend(_ database: Waggle.Database) async throws {
    for change in try await database.refusedChanges() {
        print(change.refusals.map(\.message))
        guard var film = try change.record(as: Film.self) else { continue }
        film.title += " (2)"
        try await database.save(film)
        try await database.forget(change)
    }
}

func files(_ database: Waggle.Database, _ poster: URL) async throws {
    let file = try await database.attach(poster)
    let contents = try await database.contents(of: file)
    print(contents.path)
}

func beginSignIn(_ database: Waggle.Database) async throws -> URL {
    for provider in try await database.signInProviders() where provider.opensBrowser {
        print("Sign in with \(provider.name)")
    }
    let address = try database.signInAddress(
        provider: "company", redirect: "com.example.app:/signed-in")
    return address
}

func endSignIn(_ database: Waggle.Database, _ address: URL) async {
    do {
        let user = try await database.logIn(returningTo: address)
        print("signed in as \(user.login)")
    } catch .signIn(.groupMissing) {
        print("ask the operator for a group")
    } catch {
        print(error.isTemporary ? "try the same address again" : "begin again", error)
    }
}

func signIn(
    _ database: Waggle.Database, _ askProvider: (_ nonce: String) async throws -> String
) async throws {
    let nonce = Database.freshNonce()
    let token = try await askProvider(nonce)
    try await database.logIn(idToken: token, of: "company", nonce: nonce)
}

func start(_ database: Waggle.Database) async throws -> String {
    do {
        guard let user = try await database.continueSession() else { return "sign in" }
        return user.isOffline ? "records, not in touch with the server" : "records"
    } catch .sessionEnded {
        return "sign in again, nothing is lost"
    }
}
