import Administration
import Foundation
import JSON
import SyncProtocol
import Testing

/// The scopes that pass each route of the administration, over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdminAccessTests {
    /// The operations, and the scopes that pass: v(iewer), k(eeper), d(esigner) as sessions, and
    /// the tokens T of a designer and P of a deployer. The others are refused.
    private static let table: [(operation: AdminOperation, passes: String)] = [
        (.setUp, "vkdTP"), (.signIn, "vkdTP"), (.showSession, "vkdTP"), (.confirm, "vkd"),
        (.changeOwnPassword, "vkd"), (.signOut, "vkd"),
        (.listOperators, "dT"), (.addOperator, "dT"), (.changeOperator, "dT"),
        (.removeOperator, "dT"), (.listTokens, "dT"), (.addToken, "d"), (.revokeToken, "dT"),
        (.listActivities, "dT"),
        (.listEnvironments, "vkdTP"), (.showEnvironment, "vkdTP"), (.lockEnvironment, "dT"),
        (.renameEnvironment, "dT"), (.removeEnvironment, "dT"),
        (.listDeployments, "vkdTP"), (.deploy, "dTP"), (.listClients, "vkdT"),
        (.listUsers, "kdT"), (.addUser, "kdT"), (.changeUser, "kdT"), (.removeUser, "kdT"),
        (.listRecords, "kdT"), (.showRecord, "kdT"), (.showHistory, "kdT"),
        (.listConflicts, "kdT"), (.changeRecords, "kdT"),
        (.showRights, "vkdT"), (.explain, "vkdT"),
        (.listVersions, "vkdTP"), (.importVersion, "dTP"), (.showVersion, "vkdTP"),
        (.labelVersion, "dT"), (.showSource, "vkdTP"), (.check, "vkdTP"), (.diff, "vkdTP"),
        (.showInterface, "vkdTP"),
        (.resolveConflicts, "kdT"), (.changeOwnership, "kdT"), (.listRelations, "kdT"),
        (.explainRecord, "kdT"), (.showCounts, "vkdT"), (.countConflicts, "kdT"),
        (.listSessions, "kdT"), (.endSessions, "kdT"), (.endSession, "kdT"),
        (.listDevices, "kdT"),
        (.unlockUser, "kdT"), (.listPushTokens, "kdT"), (.removePushToken, "kdT"),
        (.listFiles, "kdT"), (.showFile, "kdT"), (.listNotifications, "kdT"),
        (.sendNotification, "kdT"), (.followEvents, "vkdT"), (.showMetrics, "vkdT"),
        (.showNativeInterface, "vkdTP"),
        (.listInvitations, "kdT"), (.addInvitation, "kdT"), (.resetPassword, "kdT"),
        (.mailReset, "kdT"),
        (.removeCode, "kdT"), (.eraseUser, "kdT"), (.listErasures, "kdT"),
        (.exportRecords, "kdT"), (.exportUser, "kdT"), (.importRecords, "kdT"),
        (.showSentRights, "vkdTP"), (.explainSentRight, "vkdTP"),
        (.edit, "vkdTP"), (.drawDiagram, "vkdTP"), (.generateModels, "vkdTP"),
        (.makePackage, "vkdTP"), (.showLibrary, "vkdTP"), (.listExamples, "vkdTP"),
        (.showDiagnostic, "vkdTP"),
        (.listDrafts, "vkdT"),
        (.showDraft, "vkdT"), (.writeDraft, "dT"), (.removeDraft, "dT"),
        (.followDraft, "vkdT"), (.simulate, "dT"),
    ]

    private static let refusals: Set<String> = [
        "credentialsMissing", "sessionEnded", "sessionNeeded", "scopeTooNarrow",
        "environmentForeign", "passwordNeeded", "crossSite", "hostUnknown",
    ]

    /// The path with names; of nothing that exists, where the request would remove it.
    private func path(of route: AdminRoute) -> String {
        // A stream that begins does not end; a parameter that it does not have ends it.
        let query = route.answer == .events ? "?x=1" : ""
        return route.path.split(separator: "/").map { part in
            switch part {
            case ":environment": "test"
            case ":version": "1"
            case ":token": "999"
            case ":draft": "none"
            case ":diagnostic": "defaultBreaksLimit"
            case ":name", ":login": "nobody"
            case ":model": "ConflictsEntity"
            case ":guid": "0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54"
            case ":device", ":type", ":invitation": "none"
            default: String(part)
            }
        }.joined(separator: "/") + query
    }

    /// The code of the refusal; nil if the request was let in, whatever became of it. The body has
    /// an unknown member, so that no request takes effect.
    private func refusal(
        _ route: AdminRoute, as caller: AdminCredentials, at server: RunningServer
    ) async throws -> String? {
        let answer = try await server.admin(
            route.method.rawValue, path(of: route), route.body.map { _ in #"{"x":1}"# },
            as: caller)
        guard answer.status >= 400 else { return nil }
        let code = try answer.error().code
        #expect(code != "pathUnknown", "\(route.operation) is not served")
        return Self.refusals.contains(code) ? code : nil
    }

    @Test func everyRouteLetsItsScopesInAndNobodyElse() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let callers: [(key: Character, caller: AdminCredentials)] = [
            ("v", try await server.operatorSession("vera", "viewer")),
            ("k", try await server.operatorSession("karl", "keeper")), ("d", designer),
            ("T", try await server.adminToken("designer", as: designer).secret),
            ("P", try await server.adminToken("deployer", as: designer).secret),
        ]
        #expect(Set(Self.table.map(\.operation)) == Set(AdminOperation.allCases))
        #expect(Self.table.count == AdminOperation.allCases.count)
        for (operation, passes) in Self.table {
            let route = try #require(AdminRoute.all.first { $0.operation == operation })
            for (key, caller) in callers where operation != .signOut {
                let code = try await refusal(route, as: caller, at: server)
                #expect((code == nil) == passes.contains(key), "\(operation) \(key): \(code ?? "")")
            }
        }
    }

    @Test func withoutValidCredentialsNothingIsLetIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let revoked = try await server.adminToken("designer", as: designer)
        let path = "tokens/\(revoked.number)"
        #expect(try await server.admin("DELETE", path, as: designer).status == 204)
        let expired = try await server.adminToken("designer", as: designer)
        try await server.site.sql(
            "UPDATE operator_tokens SET expires_at = 1 WHERE number = \(expired.number)")
        let ended = try await server.adminSession("dora")
        #expect(try await server.admin("DELETE", "session", as: ended).status == 204)
        let idle = try await server.adminSession("dora")
        try await server.site.sql("UPDATE operator_sessions SET used_at = 1")
        let callers: [(AdminCredentials, String)] = [
            (.nobody, "credentialsMissing"), (.token("x"), "sessionEnded"),
            (revoked.secret, "sessionEnded"), (expired.secret, "sessionEnded"),
            (ended, "sessionEnded"), (idle, "sessionEnded"),
        ]
        for route in AdminRoute.all where route.access != .anyone {
            for (caller, expected) in callers {
                #expect(
                    try await refusal(route, as: caller, at: server) == expected,
                    "\(route.operation)")
            }
        }
    }

    @Test func tokenOfOneEnvironmentIsLetInThereOnly() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let own = try await server.adminToken("designer", for: "test", as: designer).secret
        let other = try await server.adminToken("designer", for: "other", as: designer).secret
        for route in AdminRoute.all where route.access != .anyone {
            guard case .scopes = route.access else { continue }
            let isOfEnvironment = route.parameters.contains("environment")
            #expect(
                try await refusal(route, as: own, at: server)
                    == (isOfEnvironment ? nil : "environmentForeign"), "\(route.operation)")
            #expect(
                try await refusal(route, as: other, at: server) == "environmentForeign",
                "\(route.operation)")
        }
    }

    @Test func pagesOfOtherSitesAndHostsAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let designer = try await server.operatorSession("dora", "designer")
        let own = "http://127.0.0.1:\(server.port)"
        let cases: [(name: String, value: String, code: String?)] = [
            ("Sec-Fetch-Site", "cross-site", "crossSite"),
            ("Sec-Fetch-Site", "same-site", "crossSite"),
            ("Sec-Fetch-Site", "same-origin", nil), ("Sec-Fetch-Site", "none", nil),
            ("Origin", "http://evil.example", "crossSite"), ("Origin", "null", "crossSite"),
            ("Origin", own, nil),
        ]
        for route in AdminRoute.all where route.method != .get && route.operation != .signOut {
            for (name, value, code) in cases {
                #expect(
                    try await refusal(route, as: designer.with(name, value), at: server) == code,
                    "\(route.operation) \(name): \(value)")
            }
        }
    }

    @Test func oldPasswordIsAskedForAgain() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        try await server.site.sql("UPDATE operator_sessions SET confirmed_at = 1")
        func code(_ method: String, _ path: String) async throws -> String? {
            let answer = try await server.admin(method, path, #"{"x":1}"#, as: designer)
            return answer.status == 403 ? try answer.error().code : nil
        }
        #expect(try await code("POST", "operators") == "passwordNeeded")
        #expect(try await code("PUT", "environments/test/lock") == "passwordNeeded")
        #expect(try await code("PATCH", "environments/test") == "passwordNeeded")
        #expect(try await code("DELETE", "environments/test?confirm=test") == "passwordNeeded")
        #expect(try await code("DELETE", "tokens/999") == "passwordNeeded")
        #expect(try await code("DELETE", "drafts/none") == "passwordNeeded")
        #expect(try await code("POST", "environments/production/deployments") == "passwordNeeded")
        #expect(try await code("POST", "environments/test/deployments") == nil)
        let wrong = try await server.admin(
            "POST", "session/confirmation", #"{"password":"x"}"#, as: designer)
        #expect(wrong.status == 401)
        let confirmed = try await server.admin(
            "POST", "session/confirmation", #"{"password":"password of dora"}"#, as: designer)
        #expect(confirmed.status == 204)
        #expect(try await code("POST", "operators") == nil)
    }

    /// Clients of Azure Mobile and Parse are served by tags. A version without one gets it freely.
    @Test func tagOfVersionIsTakenAwayWithPasswordOnly() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        try await server.site.sql("UPDATE operator_sessions SET confirmed_at = 1")
        func label(_ body: String) async throws -> String? {
            let answer = try await server.admin("PATCH", "versions/1", body, as: designer)
            return answer.status == 200 ? nil : try answer.error().code
        }
        #expect(try await label(#"{"tag":"spring"}"#) == nil)
        #expect(try await label(#"{"tag":"spring","note":"the same tag"}"#) == nil)
        #expect(try await label(#"{"note":"without a tag"}"#) == nil)
        for tag in ["", "summer"] {
            #expect(try await label("{\"tag\":\"\(tag)\"}") == "passwordNeeded")
        }
        _ = try await server.admin(
            "POST", "session/confirmation", #"{"password":"password of dora"}"#, as: designer)
        #expect(try await label(#"{"tag":"summer"}"#) == nil)
    }

    @Test func answersHaveTheirShapes() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        _ = try await server.adminToken("viewer", as: designer)
        let unknown: Set<AdminOperation> = [
            .showRecord, .showHistory, .listRelations, .showFile, .listSessions, .followEvents,
            .showMetrics, .showDraft, .followDraft, .exportUser,
        ]
        for route in AdminRoute.all
        where route.method == .get && !unknown.contains(route.operation) {
            let answer = try await server.admin("GET", path(of: route), as: designer)
            #expect(answer.status == 200, "\(route.operation): \(answer.text)")
            switch route.answer {
            case .json(let shape, let status):
                #expect(answer.status == status)
                try shape.check(try answer.json())
            case .page(let entry): try MessageShape.page(of: entry).check(try answer.json())
            case .xml: #expect(answer.header("Content-Type") == "application/xml")
            case .bytes, .rows, .text: continue
            case .empty, .events, .zip, .summary: Issue.record("\(route.operation)")
            }
        }
    }

    @Test func administrationIsOffBeyondLoopback() async throws {
        let site = try await Site(prepared: "Conflicts")
        let off = try await RunningServer(
            site: site, processes: 1, arguments: ["--host", "0.0.0.0"])
        #expect(try await off.admin("GET", "session", as: .nobody).status == 404)
        #expect(await off.stop() == 0)
        let on = try await RunningServer(
            site: site, processes: 1, arguments: ["--host", "0.0.0.0", "--admin", "on"])
        #expect(try await on.admin("GET", "session", as: .nobody).status == 401)
    }
}
