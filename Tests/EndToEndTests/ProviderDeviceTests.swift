import Foundation
import JSON
import ProviderKit
import SyncProtocol
import TestKit
import Testing
import Waggle

/// Users of the client library sign in with a provider, on a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProviderDeviceTests {
    private typealias Claims = [String: JSONValue]

    /// A port at which nothing listens stands for a device without a network.
    private func device(
        _ site: ProviderSite, _ name: String = "phone", isOffline: Bool = false
    ) async throws -> Waggle.Database {
        let compiled = try await Tool.run(
            ["compile", site.server.site.definition], in: site.server.site.folder)
        let port = isOffline ? 1 : site.server.port
        return try Waggle.Database(
            try AppDefinition(json: compiled.output),
            Settings(
                mode: .test, server: try #require(URL(string: "http://127.0.0.1:\(port)")),
                deviceCategory: "mobile",
                folder: URL(filePath: site.server.site.folder.path(name))))
    }

    private func address(_ database: Waggle.Database) throws -> URL {
        try database.signInAddress(provider: "company", redirect: ProviderSite.redirect)
    }

    /// Signs a person in in a browser.
    private func signIn(
        _ claims: Claims, _ database: Waggle.Database, _ site: ProviderSite
    ) async throws -> User {
        let back = try await site.returned(from: address(database), claims)
        return try await database.logIn(returningTo: back)
    }

    private func save(_ title: String, in database: Waggle.Database) async throws {
        var film = RecordValues(model: "ConflictsEntity", guid: fresh())
        film.set("title", to: title)
        try await database.save(film)
    }

    private func titles(_ site: ProviderSite) async throws -> [String] {
        try await site.server.client("a").records().compactMap { $0.fields?["title"]?.text }
            .sorted()
    }

    @Test func browserOpensDatabaseOnce() async throws {
        let site = try await ProviderSite()
        let phone = try await device(site)
        let providers = try await phone.signInProviders()
        #expect(providers.map(\.name) == ["company"] && providers.allSatisfy(\.opensBrowser))
        let begun = try address(phone)
        let back = try await site.returned(from: begun, site.provider.claims("cleo"))
        // The app was closed meanwhile.
        let reopened = try await device(site)
        let user = try await reopened.logIn(returningTo: back)
        #expect(user.login == "cleo" && user.role == "users-mobile" && !user.isOffline)
        try await save("Alien", in: reopened)
        #expect(try await reopened.sync().accepted == 1)
        #expect(try await titles(site) == ["\"Alien\""])
        await #expect(throws: SyncFailure.signIn(.stateUnknown)) {
            try await reopened.logIn(returningTo: back)
        }
        let log = try site.server.log()
        #expect(!log.contains(back.query() ?? "") && !log.contains(begun.query() ?? ""))
    }

    /// An address that another app, or a page, makes up.
    @Test func foreignAddressEndsNoSignIn() async throws {
        let site = try await ProviderSite()
        let phone = try await device(site)
        let former = try address(phone)
        let formerBack = try await site.returned(from: former, site.provider.claims("mallory"))
        let back = try await site.returned(from: address(phone), site.provider.claims("cleo"))
        for wrong in [
            formerBack.absoluteString, "com.example.app:/done", "com.example.app:/done?code=x",
            "com.example.app:/done?code=x&state=", "com.example.app:/done?error=loginTaken",
        ] {
            let address = try #require(URL(string: wrong))
            await #expect(throws: SyncFailure.signIn(.stateUnknown), "\(wrong)") {
                try await phone.logIn(returningTo: address)
            }
        }
        #expect(phone.user == nil)
        #expect(try await phone.logIn(returningTo: back).login == "cleo")
    }

    @Test(
        arguments: [
            (["nonce": "other"], [:], SignInRefusal.idTokenRefused),
            (["email": .null], [:], .idTokenRefused), (["email": "a"], [:], .loginTaken),
            ([:], ["newUsers": .boolean(false)], .identityUnknown),
            ([:], ["group": .null], .groupMissing),
        ] as [([String: JSONValue], [String: JSONValue], SignInRefusal)])
    func refusalHasItsType(
        claims: [String: JSONValue], members: [String: JSONValue], expected: SignInRefusal
    ) async throws {
        let site = try await ProviderSite(members)
        let phone = try await device(site)
        await #expect(throws: SyncFailure.signIn(expected)) {
            try await signIn(site.provider.claims("cleo", claims), phone, site)
        }
        #expect(phone.user == nil && !expected.description.isEmpty)
        #expect(try await phone.continueSession() == nil)
    }

    @Test func providerThatIsDownIsTemporaryFailure() async throws {
        let site = try await ProviderSite(processes: 1)
        let phone = try await device(site)
        site.provider.answer(
            "/.well-known/openid-configuration",
            .lastBytes(ScriptedServer.answer("500 Internal Server Error", body: "{}")))
        let failure = SyncFailure.signIn(.providerUnavailable)
        #expect(failure.isTemporary)
        await #expect(throws: failure) {
            try await signIn(site.provider.claims("cleo"), phone, site)
        }
        let token = site.key.token(site.provider.claims("cleo"))
        await #expect(throws: failure) { try await phone.logIn(idToken: token, of: "company") }
        let offline = try await device(site, isOffline: true)
        let lost = await #expect(throws: SyncFailure.self) { try await offline.signInProviders() }
        #expect(lost?.isTemporary == true)
    }

    @Test func idTokenIsForItsNonceAndOneDevice() async throws {
        let site = try await ProviderSite()
        let phone = try await device(site)
        let nonce = Waggle.Database.freshNonce()
        let token = site.key.token(site.provider.claims("cleo", ["nonce": .string(nonce)]))
        let refused = SyncFailure.signIn(.idTokenRefused)
        for wrong in [nil, Waggle.Database.freshNonce()] {
            await #expect(throws: refused) {
                try await phone.logIn(idToken: token, of: "company", nonce: wrong)
            }
        }
        for _ in 0..<2 {
            let user = try await phone.logIn(idToken: token, of: "company", nonce: nonce)
            #expect(user.login == "cleo")
        }
        let tablet = try await device(site, "tablet")
        await #expect(throws: refused) {
            try await tablet.logIn(idToken: token, of: "company", nonce: nonce)
        }
        await #expect(throws: SyncFailure.signIn(.providerUnknown)) {
            try await phone.logIn(idToken: token, of: "other", nonce: nonce)
        }
    }

    /// The provider replaces its keys, and its clock differs by half a minute or by five.
    @Test func keysAndClocksOfProviderMayDiffer() async throws {
        let site = try await ProviderSite(processes: 1)
        let phone = try await device(site)
        let refused = SyncFailure.signIn(.idTokenRefused)
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        let next = SigningPair(.p256, name: "two")
        site.provider.publish([next])
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        let former = site.key.token(site.provider.claims("cleo"))
        await #expect(throws: refused) { try await phone.logIn(idToken: former, of: "company") }
        for (claim, seconds, isTaken) in [
            ("iat", 30, true), ("iat", 300, false), ("exp", -30, true), ("exp", -300, false),
        ] as [(String, Int64, Bool)] {
            let now = Int64(Date().timeIntervalSince1970)
            let token = next.token(
                site.provider.claims("cleo", [claim: .integer(now + seconds)]))
            do {
                try await phone.logIn(idToken: token, of: "company")
                #expect(isTaken, "\(claim) \(seconds)")
            } catch {
                #expect(!isTaken && error == refused, "\(claim) \(seconds): \(error)")
            }
        }
    }

    @Test func userGoesOnWithoutNetworkAndWithoutSigningIn() async throws {
        let site = try await ProviderSite()
        let phone = try await device(site)
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        try await save("Alien", in: phone)
        let restarted = try await device(site, isOffline: true)
        let user = try #require(try await restarted.continueSession())
        #expect(user.login == "cleo" && user.role == "users-mobile" && user.isOffline)
        try await save("Brazil", in: restarted)
        await #expect(throws: SyncFailure.self) { try await restarted.sync() }
        await #expect(throws: SyncFailure.self, "no password opens it") {
            try await restarted.logIn("cleo", password: "")
        }
        let back = try await device(site)
        #expect(try await back.continueSession()?.isOffline == false)
        #expect(try await back.sync().accepted == 2)
        #expect(try await titles(site) == ["\"Alien\"", "\"Brazil\""])
        let tablet = try await device(site, "tablet")
        #expect(try await tablet.continueSession() == nil)
    }

    @Test(arguments: [true, false]) func nobodyGoesOnAfterSigningOut(isOpen: Bool) async throws {
        let site = try await ProviderSite()
        var phone = try await device(site)
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        try await save("Alien", in: phone)
        // An app may let a user sign out whose session it has not opened.
        if !isOpen { phone = try await device(site) }
        try await phone.logOut()
        for isOffline in [true, false] {
            let restarted = try await device(site, isOffline: isOffline)
            #expect(try await restarted.continueSession() == nil)
        }
        let sessions = try await site.server.site.sql(
            "SELECT count(*) FROM sessions WHERE login = 'cleo'")
        #expect(sessions == "0")
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        #expect(try await phone.sync().accepted == 1, "it waited for the user")
    }

    /// The running app goes on, and a restarted one asks for a sign-in, without a network too.
    @Test func editsWaitWhileSessionHasEnded() async throws {
        let site = try await ProviderSite()
        let phone = try await device(site)
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        try await save("Alien", in: phone)
        let keeper = try await site.server.operatorSession("karl", "keeper")
        let ended = try await site.server.admin(
            "DELETE", "environments/test/users/cleo/sessions", as: keeper)
        #expect(ended.status == 204, "\(ended.text)")
        await #expect(throws: SyncFailure.sessionEnded) { try await phone.sync() }
        try await save("Brazil", in: phone)
        for isOffline in [true, false] {
            let restarted = try await device(site, isOffline: isOffline)
            await #expect(throws: SyncFailure.sessionEnded) {
                try await restarted.continueSession()
            }
        }
        _ = try await signIn(site.provider.claims("cleo"), phone, site)
        #expect(try await phone.sync().accepted == 2)
    }

    /// A restarted app learns that the session has ended before it shows anything.
    @Test func endedSessionIsNotContinued() async throws {
        let site = try await ProviderSite()
        _ = try await signIn(site.provider.claims("cleo"), device(site), site)
        #expect(try await site.server.site.waggle("user", "remove", "cleo").exitCode == 0)
        for isOffline in [false, true] {
            let restarted = try await device(site, isOffline: isOffline)
            await #expect(throws: SyncFailure.sessionEnded) {
                try await restarted.continueSession()
            }
            #expect(restarted.user == nil)
        }
    }
}
