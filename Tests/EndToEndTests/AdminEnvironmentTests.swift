import Foundation
import JSON
import SyncProtocol
import Testing

/// Requests to `/admin/v1` about an environment as a whole.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdminEnvironmentTests {
    private let films = "environments/test/records/ConflictsEntity"

    /// A film with a conflict: `score` was 1, is 4 and would be 5.
    private func disputedFilm(at server: RunningServer) async throws -> String {
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        try await a.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 4]))
        let late = try await b.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 5]))
        #expect(late.outcome == .conflicted)
        return guid
    }

    @Test func keeperResolvesOneConflictFromItsRevision() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let guid = try await disputedFilm(at: server)
        func resolve(from base: Int64) async throws -> Answer {
            try await server.admin(
                "POST", "environments/test/changes",
                """
                {"changes":[{"id":"\(fresh())","action":"resolve","model":"ConflictsEntity",
                "guid":"\(guid)","base":\(base),"fields":{"score":5}}]}
                """, as: keeper)
        }
        let stale = try await resolve(from: 1)
        #expect(stale.text.contains("resolutionStale"), "\(stale.text)")
        let film = try await server.client("a").record(guid)
        #expect(try await resolve(from: film.revision).text.contains("accepted"))
        let resolved = try await server.client("b").record(guid)
        #expect(resolved.fields?["score"] == 5 && resolved.conflicts ?? [] == [])
    }

    @Test func keeperResolvesManyConflictsByRule() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let guids = [try await disputedFilm(at: server), try await disputedFilm(at: server)]
        let answer = try await server.admin(
            "POST", "environments/test/conflicts",
            #"{"id":"1","model":"ConflictsEntity","choose":"theirs","fields":{"score":"mine"}}"#,
            as: keeper)
        #expect(answer.status == 200, "\(answer.text)")
        for guid in guids {
            #expect(try await server.client("a").record(guid).fields?["score"] == 5)
        }
        let left = try await server.admin("GET", "environments/test/conflicts", as: keeper)
        #expect(try left.member("records") == .array([]))
        let log = try await server.client("a").history(of: guids[0], in: "ConflictsEntity")
        #expect(log.first?.login == "operator karl" && log.first?.kind == .resolved)
    }

    @Test func environmentIsRenamedAndRemovedUnlessItIsLocked() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "x"]))
        func code(_ method: String, _ path: String, _ body: String? = nil) async throws -> String? {
            let answer = try await server.admin(
                method, "environments/\(path)", body, as: designer)
            return answer.status < 300 ? nil : try answer.error().code
        }
        #expect(try await code("PUT", "test/lock", #"{"locked":true}"#) == nil)
        #expect(try await code("PATCH", "test", #"{"name":"later"}"#) == "environmentLocked")
        #expect(try await code("DELETE", "test?confirm=test") == "environmentLocked")
        #expect(try await code("PUT", "test/lock", #"{"locked":false}"#) == nil)
        #expect(try await code("PATCH", "test", #"{"name":"a b"}"#) == "environmentNameIllegal")
        #expect(try await code("PATCH", "test", #"{"name":"later"}"#) == nil)
        #expect(try await code("GET", "test") == "environmentUnknown")
        #expect(try await code("GET", "later/counts") == nil)
        let site = server.site
        #expect(try await site.deployAcceptingAll(site.definition).exitCode == 0)
        #expect(try await code("PATCH", "later", #"{"name":"test"}"#) == "environmentExists")
        #expect(try await code("DELETE", "later") == "parameterIllegal")
        #expect(try await code("DELETE", "later?confirm=test") == "parameterIllegal")
        #expect(try await code("GET", "later") == nil)
        #expect(try await code("DELETE", "later?confirm=later") == nil)
        #expect(try await code("GET", "later") == "environmentUnknown")
        #expect(try await code("GET", "test") == nil)
    }

    @Test func recordsAreCountedByModel() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let viewer = try await server.operatorSession("vera", "viewer")
        _ = try await disputedFilm(at: server)
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Solaris"]))
        let counts = try await server.admin("GET", "environments/test/counts", as: viewer)
        #expect(
            try counts.member("models")
                == .array([
                    .object(["model": "ConflictsEntity", "records": 2, "isLeast": .boolean(false)])
                ]))
        #expect(try counts.member("openConflicts") == 1)
        #expect(try counts.member("users") == 2)
    }

    @Test func rightToStoredRecordIsExplainedByItsOwner() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let keeper = try await server.operatorSession("karl", "keeper")
        let guid = fresh()
        let created = try await server.admin(
            "POST", "environments/test/changes",
            """
            {"owner":"carl","changes":[{"id":"1","action":"create","model":"customer",
            "guid":"\(guid)","fields":{"name":"n","active":true}}]}
            """, as: keeper)
        #expect(created.text.contains("accepted"), "\(created.text)")
        let record = "environments/test/records/customer/\(guid)"
        func isAllowed(_ login: String, _ device: String) async throws -> JSONValue? {
            let answer = try await server.admin(
                "POST", "\(record)/explain",
                #"{"login":"\#(login)","device":"\#(device)","field":"name","operation":"read"}"#,
                as: keeper)
            #expect(answer.status == 200, "\(answer.text)")
            return try answer.member("allowed")
        }
        #expect(try await isAllowed("carl", "mobile") == .boolean(true))
        #expect(try await isAllowed("cora", "mobile") == .boolean(false))
        #expect(try await isAllowed("tina", "mobile") == .boolean(true))
        let moved = try await server.admin(
            "PATCH", "\(record)/ownership", #"{"owner":"cora"}"#, as: keeper)
        #expect(try moved.member("owner") == "cora", "\(moved.text)")
        #expect(try await isAllowed("cora", "mobile") == .boolean(true))
        #expect(try await isAllowed("carl", "mobile") == .boolean(false))
    }

    @Test func relationsGoBothWays() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let keeper = try await server.operatorSession("karl", "keeper")
        let (customer, site) = (fresh(), fresh())
        let created = try await server.admin(
            "POST", "environments/test/changes",
            """
            {"owner":"dora","changes":[{"id":"1","action":"create","model":"customer",
            "guid":"\(customer)","fields":{"name":"n","active":true}},
            {"id":"2","action":"create","model":"site","guid":"\(site)",
            "fields":{"name":"s","address":"a","customer":"\(customer)"}}]}
            """, as: keeper)
        #expect(!created.text.contains("refused"), "\(created.text)")
        let up = try await server.admin(
            "GET", "environments/test/records/site/\(site)/relations", as: keeper)
        #expect(
            try up.member("outgoing")
                == .array([
                    .object(["field": "customer", "model": "customer", "guid": .string(customer)])
                ]), "\(up.text)")
        let down = try await server.admin(
            "GET", "environments/test/records/customer/\(customer)/relations", as: keeper)
        #expect(down.text.contains(site) && down.text.contains(#""more":false"#), "\(down.text)")
        let hidden = try await server.admin(
            "GET",
            "environments/test/records/customer/\(customer)/relations?as=carl&device=mobile",
            as: keeper)
        #expect(hidden.status == 404, "\(hidden.text)")
    }

    @Test func sessionsOfUserAreEndedByDevice() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let tablet = try await server.signIn("a", device: "tablet").token
        let (one, other) = (Client(server: server, token: tablet), try server.client("a"))
        let path = "environments/test/users/a/sessions"
        let list = try await server.admin("GET", path, as: keeper)
        #expect(list.text.contains(#""device":"tablet""#), "\(list.text)")
        #expect(!list.text.contains(tablet))
        #expect(try await server.admin("DELETE", "\(path)/tablet", as: keeper).status == 204)
        #expect(try await one.ask(SyncRequest()).status == 401)
        #expect(try await other.ask(SyncRequest()).status == 200)
        #expect(try await server.admin("DELETE", path, as: keeper).status == 204)
        #expect(try await other.ask(SyncRequest()).status == 401)
        #expect(try await server.admin("GET", path, as: keeper).json() == .array([]))
    }

    @Test func devicesOfAllUsersAreListedInPages() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let names = ["a phone", "a plus+&percent%20", "a tablet", "b phone"]
        for name in names {
            let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
            _ = try await server.signIn(parts[0], device: parts[1])
        }
        let path = "environments/test/devices"
        var (listed, next): ([String], String) = ([], "")
        repeat {
            let page = try await server.admin("GET", "\(path)?limit=1\(next)", as: keeper)
            for entry in try page.member("entries")?.elements ?? [] {
                let name = ["login", "device"].map { entry.member($0)?.string ?? "" }
                listed.append(name.joined(separator: " "))
                #expect(entry.member("lastSeen") != nil && entry.member("expiresAt") != nil)
            }
            let place = try page.member("next")?.string
            next = place.map { "&next=\(percentEncoded($0))" } ?? ""
        } while !next.isEmpty
        #expect(listed == names)
        let found = try await server.admin("GET", "\(path)?search=TAB", as: keeper)
        #expect(found.text.contains("tablet") && !found.text.contains("phone"), "\(found.text)")
        let illegal = try await server.admin("GET", "\(path)?next=[1]", as: keeper)
        #expect(try illegal.error().code == "parameterIllegal")
    }

    @Test func lockedUserIsUnlocked() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        func tries() async throws -> Int {
            try await server.askToSignIn("a", password: "wrong", device: "new").status
        }
        while try await tries() != 429 {}
        let unlocked = try await server.admin(
            "POST", "environments/test/users/a/unlock", as: keeper)
        #expect(unlocked.status == 204, "\(unlocked.text)")
        #expect(try await tries() == 401)
        let unknown = try await server.admin(
            "POST", "environments/test/users/nobody/unlock", as: keeper)
        #expect(try unknown.error().code == "userUnknown")
    }

    @Test func pushTokensAreListedWithoutTheirSecrets() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let put = try await server.client("a").call(
            "PUT", "pushTokens/apns", #"{"token":"a secret token"}"#)
        #expect(put.status == 200, "\(put.text)")
        let path = "environments/test/pushTokens"
        let list = try await server.admin("GET", path, as: keeper)
        guard case .array(let tokens)? = try list.member("tokens"), tokens.count == 1,
            case .object(let token) = tokens[0], case .string(let device)? = token["device"]
        else { throw Unexpected(list.text) }
        #expect(token["login"] == "a" && !list.text.contains("secret"))
        let removed = try await server.admin(
            "DELETE", "environments/test/users/a/pushTokens/\(device)/apns", as: keeper)
        #expect(removed.status == 204)
        #expect(try await server.admin("GET", path, as: keeper).member("tokens") == .array([]))
    }

    @Test func notificationsAreSentAndListed() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let path = "environments/test/notifications"
        for id in ["1", "2"] {
            let sent = try await server.admin(
                "POST", path, #"{"id":"\#(id)","users":["a"],"notification":{"n":1}}"#, as: keeper)
            #expect(sent.status == 201, "\(sent.text)")
        }
        let first = try await server.admin("GET", "\(path)?limit=1", as: keeper)
        #expect(first.text.contains(#""sender":"operator karl""#), "\(first.text)")
        guard case .string(let next)? = try first.member("next") else {
            throw Unexpected(first.text)
        }
        let second = try await server.admin("GET", "\(path)?next=\(next)", as: keeper)
        #expect(second.text.contains(#""id":"2""#) && !second.text.contains(#""id":"1""#))
    }

    /// An empty page would look like the end of the list.
    @Test func damagedPlaceIsNoEndOfList() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let base = "environments/test"
        for path in [
            "versions", "activity", "\(base)/deployments", "\(base)/files",
            "\(base)/notifications",
        ] {
            for place in ["zz", "-1", "0", ""] {
                let answer = try await server.admin("GET", "\(path)?next=\(place)", as: designer)
                #expect(answer.status == 400, "\(path) \(place): \(answer.text)")
                #expect(try answer.error().code == "parameterIllegal")
            }
        }
        let page = try await server.admin("GET", "versions?next=2", as: designer)
        #expect(try page.member("entries")?.elements.count == 1, "\(page.text)")
    }

    @Test func filesAreListedAndShown() async throws {
        let server = try await RunningServer(site: try await Site.withFiles())
        let keeper = try await server.operatorSession("karl", "keeper")
        let (image, page) = (fresh(), fresh())
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
        let a = try server.client("a")
        for (guid, bytes) in [(image, png), (page, Data("<svg/>".utf8))] {
            #expect(try await a.put(guid, bytes).status == 201)
            #expect(try await a.attach(guid).outcome == .accepted)
        }
        let (loose, text) = (fresh(), Data("no record names it".utf8))
        #expect(try await a.put(loose, text).status == 201)
        let path = "environments/test/files"
        let own = try await server.admin("GET", "\(path)/\(loose)", as: keeper)
        #expect(own.status == 200 && own.body == text)
        let list = try await server.admin("GET", path, as: keeper)
        #expect(list.text.contains(image) && list.text.contains(hex(of: png)), "\(list.text)")
        let file = try await server.admin("GET", "\(path)/\(image)", as: keeper)
        #expect(file.body == png && file.header("Content-Type") == "application/octet-stream")
        let preview = try await server.admin("GET", "\(path)/\(image)?preview=true", as: keeper)
        #expect(preview.body == png && preview.header("Content-Type") == "image/png")
        let refused = try await server.admin("GET", "\(path)/\(page)?preview=true", as: keeper)
        #expect(try refused.error().code == "previewMissing")
        let unknown = try await server.admin("GET", "\(path)/\(fresh())", as: keeper)
        #expect(unknown.status == 404)
    }

    @Test func metricsAreShownWhereTheyAreCounted() async throws {
        let site = try await Site(prepared: "Conflicts")
        let counting = try await RunningServer(
            site: site, processes: 1, arguments: ["--metrics-port", "0"])
        let viewer = try await counting.operatorSession("vera", "viewer")
        let text = try await counting.admin("GET", "metrics", as: viewer).text
        #expect(text.contains("waggle_requests_total"))
        #expect(await counting.stop() == 0)
        let other = try await RunningServer(site: site, processes: 1)
        let answer = try await other.admin(
            "GET", "metrics", as: try await other.adminSession("vera"))
        #expect(try answer.error().code == "metricsOff")
    }
}
