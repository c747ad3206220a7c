import Foundation
import HTTPCalls
import JSON
import ProviderKit
import Secrets
import SyncProtocol
import Testing

/// Apps of Azure Mobile that open a page of the server to sign in, and read the session in the
/// address at which the browser ends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AzureBrowserSignInTests {
    private static let folders = ["/.auth/login", "/login", "/azure/test/.auth/login"]
    private static let root = "http://127.0.0.1:1"
    private static let appRedirect = "zumoapp://easyauth.callback/"

    /// The operator lets browsers return to these addresses.
    private func site() async throws -> ProviderSite {
        let redirects =
            Self.folders.map { "\(Self.root)\($0)/company/callback" } + [Self.appRedirect]
        return try await ProviderSite(
            ["redirects": .array(redirects.map { .string($0) })], arguments: ["--azure"])
    }

    /// Follows a browser from the page that the app opens to the callback of the server.
    private func callback(
        _ folder: String, on site: ProviderSite, cookie: String? = nil, denied: Bool = false
    ) async throws -> (address: String, cookie: String) {
        let opened = try await site.visit(
            "\(folder)/company?session_mode=token", cookie: cookie)
        #expect(opened.status == 303)
        let address = try #require(opened.headers["location"])
        let cookie = try #require(opened.headers["set-cookie"]?.split(separator: ";").first)
        var back = try site.provider.allow(address, site.provider.claims("cleo"))
        if denied { back = back.replacing("code=", with: "error=access_denied&x=") }
        let returned = try await site.visit(back, cookie: String(cookie))
        #expect(returned.status == 303)
        return (try #require(returned.headers["location"]), String(cookie))
    }

    /// The session with which the browser ends at the address.
    private func session(
        _ folder: String, at address: String, cookie: String, on site: ProviderSite
    ) async throws -> JSONValue {
        let ended = try await site.visit(address, cookie: cookie)
        #expect(ended.status == 303 && ended.headers["cache-control"] == "no-store")
        let end = try #require(ended.headers["location"])
        let start = "\(Self.root)\(folder)/done#token="
        #expect(end.hasPrefix(start), "\(end)")
        let text = try #require(String(end.dropFirst(start.count)).removingPercentEncoding)
        return try parseJSON(Array(text.utf8))
    }

    /// Signs in in the browser with a cookie, or in another one, and returns the token and the
    /// cookie.
    private func signIn(
        on site: ProviderSite, cookie: String? = nil
    ) async throws -> (token: String, cookie: String) {
        let (address, cookie) = try await callback("/.auth/login", on: site, cookie: cookie)
        let session = try await session("/.auth/login", at: address, cookie: cookie, on: site)
        return (try #require(session.member("authenticationToken")?.string), cookie)
    }

    @Test(arguments: folders) func browserEndsWithSession(folder: String) async throws {
        let site = try await site()
        let (address, cookie) = try await callback(folder, on: site)
        #expect(address.hasPrefix("\(Self.root)\(folder)/company/callback?code="))
        let session = try await session(folder, at: address, cookie: cookie, on: site)
        #expect(session.member("user")?.member("userId") == "cleo")
        let token = try #require(session.member("authenticationToken")?.string)
        let told = try await site.server.request(
            "GET", "/.auth/me", headers: ["X-ZUMO-AUTH": token]
        ).rows()
        #expect(told.map { $0["user_id"] } == ["cleo"])
        let rows = try await site.server.request(
            "GET", "/tables/conflictsentity", headers: ["X-ZUMO-AUTH": token])
        #expect(rows.status == 200)
        #expect(try await site.visit("\(folder)/done").status == 200)
        // The code is good once.
        #expect(try await site.visit(address, cookie: cookie).status == 401)
        // A slash at the end of the app's address changes nothing.
        #expect(try await site.visit("\(folder)/company/").status == 303)
        #expect(try !site.server.log().contains(token))
    }

    /// Begins a sign-in as version 4 of the .NET client, and returns the code that the app gets.
    private func appCode(
        _ folder: String, verifier: String, on site: ProviderSite
    ) async throws -> String {
        let challenge = Data(BearerToken.hash(verifier)).base64EncodedString()
        let escaped = challenge.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        // An intent of Android looks like another site.
        let opened = try await site.visit(
            "\(folder)/company?post_login_redirect_url=zumoapp%3A%2F%2Feasyauth.callback%2F"
                + "&code_challenge=\(escaped)&code_challenge_method=S256&session_mode=token",
            site: "cross-site")
        let address = try #require(opened.headers["location"])
        let cookie = try #require(opened.headers["set-cookie"]?.split(separator: ";").first)
        let back = try await site.visit(
            try site.provider.allow(address, site.provider.claims("cleo")), cookie: String(cookie))
        let end = try #require(back.headers["location"])
        let start = "\(Self.appRedirect)?authorization_code="
        #expect(end.hasPrefix(start), "\(end)")
        return String(end.dropFirst(start.count))
    }

    @Test(arguments: folders) func appOpensSessionByCode(folder: String) async throws {
        let site = try await site()
        // In Base64, as the client writes it.
        let verifier = "ab+/cdEF01234567890123456789012345678901234="
        let escaped = "ab%2B%2FcdEF01234567890123456789012345678901234%3D"
        let code = try await appCode(folder, verifier: verifier, on: site)
        let client = AzureClient(site.server)
        let path = "\(folder)/company/token?authorization_code="
        let opened = try await client.row("GET", "\(path)\(code)&code_verifier=\(escaped)")
        #expect(opened["user"] == .object(["userId": "cleo"]))
        let token = try #require(opened["authenticationToken"]?.string)
        let told = try await client.ask("GET", "/.auth/me", headers: ["X-ZUMO-AUTH": token])
        #expect(try told.rows().map { $0["user_id"] } == ["cleo"])
        // The code is good once, and for its verifier.
        let stolen = try await appCode(folder, verifier: verifier, on: site)
        for query in [
            "\(code)&code_verifier=\(escaped)", "\(stolen)&code_verifier=x", stolen, "",
        ] { #expect(try await client.ask("GET", path + query).status == 401, "\(query)") }
        let log = try site.server.log()
        #expect(!log.contains(code) && !log.contains(token) && !log.contains(verifier))
    }

    /// Each sign-in in a browser is another device, on the same phone.
    @Test func phoneHasOnePushToken() async throws {
        let site = try await site()
        var client = AzureClient(site.server)
        let tokens = "SELECT device_identifier FROM push_tokens"
        let handle: [String: JSONValue] = ["pushChannel": "handle", "platform": "apns"]
        for _ in 0..<2 {
            client.headers["X-ZUMO-AUTH"] = try await signIn(on: site).token
            let answer = try await client.ask("PUT", "/push/installations/phone", handle)
            #expect(answer.status == 204)
            #expect(try await site.server.site.sql(tokens) == "phone")
        }
        client.headers["X-ZUMO-INSTALLATION-ID"] = "phone"
        let held = try await client.rows("/push/registrations")
        #expect(held.map { $0["deviceId"] } == ["handle"])
        client.headers["X-ZUMO-AUTH"] = try await signIn(on: site).token
        #expect(try await client.ask("DELETE", "/push/installations/phone").status == 204)
        #expect(try await site.server.site.sql(tokens) == "")
    }

    /// Nobody signs in at the provider in vain.
    @Test(arguments: [
        ("session_mode=token&completion_type=postMessage&completion_origin=x", 400),
        ("post_login_redirect_url=zumoapp%3A%2F%2Feasyauth.callback%2F", 400),
        (
            "post_login_redirect_url=https%3A%2F%2Fevil.example%2F&code_challenge="
                + "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU&code_challenge_method=S256", 401
        ),
    ]) func otherEndBeginsNothing(query: String, status: Int) async throws {
        let site = try await site()
        let answer = try await site.visit("/.auth/login/company?\(query)")
        #expect(answer.status == status && answer.headers["location"] == nil)
    }

    /// The address of the callback opens no session elsewhere.
    @Test func anotherBrowserGetsNoSession() async throws {
        let site = try await site()
        for cookie in [nil, "waggle-sign-in=\(BearerToken.make())", "waggle-sign-in=x"] {
            let (address, _) = try await callback("/.auth/login", on: site)
            let answer = try await site.visit(address, cookie: cookie)
            #expect(answer.status == 401 && answer.headers["location"] == nil)
        }
    }

    /// A browser that comes back without its cookie ends at the page for the person.
    @Test func browserWithoutItsCookieIsTold() async throws {
        let site = try await site()
        let opened = try await site.visit("/login/company")
        let address = try #require(opened.headers["location"])
        let back = try await site.visit(
            try site.provider.allow(address, site.provider.claims("cleo")))
        let end = try #require(back.headers["location"])
        #expect(end == "\(Self.root)/login/company/callback?error=stateUnknown")
        let page = try await site.visit(end)
        #expect(page.status == 401)
        let body = try parseJSON(Array(page.body))
        #expect(body.member("error")?.string?.contains("begin in this browser") == true)
    }

    @Test func pageOfAnotherSiteBeginsNothing() async throws {
        let site = try await site()
        for (relation, status) in [
            ("cross-site", 403), ("same-site", 403), ("same-origin", 303), ("none", 303),
        ] {
            let answer = try await site.visit("/.auth/login/company", site: relation)
            #expect(answer.status == status, "\(relation)")
        }
    }

    /// Further sign-ins in a browser end its own session, and no other one.
    @Test func browserHasOneSession() async throws {
        let site = try await site()
        let other = try await signIn(on: site).token
        let (first, cookie) = try await signIn(on: site)
        let second = try await signIn(on: site, cookie: cookie).token
        for (token, status) in [(other, 200), (first, 401), (second, 200)] {
            let told = try await site.server.request(
                "GET", "/.auth/me", headers: ["X-ZUMO-AUTH": token])
            #expect(told.status == status)
        }
    }

    /// On both wires together.
    @Test func strangersWithCodesAreSlowed() async throws {
        let redirect = "\(Self.root)/.auth/login/company/callback"
        let site = try await ProviderSite(
            ["redirects": .array([.string(redirect)])], processes: 1, arguments: ["--azure"])
        let cookie = "waggle-sign-in=\(BearerToken.make())"
        let callback = "/.auth/login/company/callback?code=x"
        #expect(try await site.visit(callback, cookie: cookie).status == 401)
        var last = try await site.open(code: "x", verifier: "v")
        #expect(last.status == 403)
        for _ in 0..<600 where last.status != 429 {
            last = try await site.open(code: "x", verifier: "v")
        }
        #expect(try last.status == 429 && last.error().code == "tooManySignIns")
        let refused = try await site.visit(callback, cookie: cookie)
        #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
    }

    @Test func operatorReadsWhichRedirectIsMissing() async throws {
        let site = try await ProviderSite(arguments: ["--azure"])
        let refused = try await site.visit("/.auth/login/company")
        #expect(refused.status == 401)
        let log = try site.server.log()
        #expect(log.contains("'\(Self.root)/.auth/login/company/callback'"), "\(log)")
        #expect(log.contains(#""code":"redirectUnknown""#))
        #expect(log.contains(#""environment":"test""#))
    }

    /// The person at the browser reads the text, in the shape of the app's generation.
    @Test func refusalsAreForPeople() async throws {
        let site = try await site()
        let (denied, cookie) = try await callback("/login", on: site, denied: true)
        for (address, status, words) in [
            ("/login/google", 401, "no page for signing in with 'google'"),
            ("/login/custom", 401, "no page for signing in with 'custom'"),
            ("/azure/test/login/company", 401, "no page for signing in with 'company'"),
            (denied, 401, "Go back to the app, and sign in again."),
            ("/login/company/callback", 401, "sign in again"),
            ("/login/company/callback?error=groupMissing", 401, "no user of this app"),
            ("/login/company/callback?error=providerUnavailable", 503, "in some minutes"),
        ] {
            let answer = try await site.visit(address, cookie: cookie)
            let body = try parseJSON(Array(answer.body))
            #expect(answer.status == status, "\(address)")
            #expect(body.member("error")?.string?.contains(words) == true, "\(address) \(body)")
            #expect(body.member("code") == .integer(Int64(status)), "\(address)")
            #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
        }
        let plain = try await ProviderSite(arguments: ["--azure"])
        let unset = try await plain.visit("/.auth/login/company")
        #expect(unset.status == 401)
        let body = try parseJSON(Array(unset.body))
        #expect(body.member("error")?.string?.contains("ask the operator") == true)
        #expect(body.member("code") == nil)
    }
}
