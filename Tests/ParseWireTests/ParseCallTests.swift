import JSON
import Testing

@testable import ParseWire

@Suite("Three manners of request are one")
struct ParseCallTests {
    private func call(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:],
        body: String = ""
    ) throws(ParseFailure) -> ParseCall {
        try ParseCall(
            ReceivedCall(
                method: method, path: path, query: query, header: { headers[$0] },
                body: Array(body.utf8)))
    }

    private static let headers = [
        "X-Parse-Application-Id": "test", "X-Parse-Session-Token": "r:t",
        "X-Parse-Installation-Id": "i", "X-Parse-Client-Version": "swift6.1.0",
    ]

    @Test func headersName() throws {
        let call = try call(
            "PUT", "/classes/Note/ab%20c", headers: Self.headers, body: #"{"a":1}"#)
        #expect(call.verb == .put && call.path == ["classes", "Note", "ab c"])
        #expect(call.body == ["a": 1] && call.parameters.isEmpty)
        #expect(
            call.credentials
                == ParseCredentials(
                    applicationID: "test", sessionToken: "r:t", installationID: "i",
                    clientVersion: "swift6.1.0", requestID: nil, keys: [], masterKey: nil))
    }

    @Test(arguments: [
        (["X-Parse-REST-API-Key": "k"], ["k"]), (["X-Parse-Client-Key": "k"], ["k"]),
        (["X-Parse-Windows-Key": "k", "X-Parse-Javascript-Key": "j"], ["k", "j"]),
        (["X-Parse-Master-Key": "k"], []),
        // app:javascript-key=k, and app:k, which is a master key
        (["Authorization": "Basic YXBwOmphdmFzY3JpcHQta2V5PWs="], ["k"]),
        (["Authorization": "Basic YXBwOms="], []),
    ])
    func keysAreThoseOfApp(headers: [String: String], keys: [String]) throws {
        let credentials = try call("GET", "/config", headers: headers).credentials
        #expect(credentials.keys == Set(keys))
        #expect(credentials.masterKey == (keys.isEmpty ? "k" : nil))
    }

    @Test func bodyNames() throws {
        let call = try call(
            "POST", "/classes/Note",
            body: """
                {"_method":"GET","_ApplicationId":"test","_SessionToken":"r:t","_noBody":true,
                "_InstallationId":"i","_ClientVersion":"js7.0.1","where":{"a":1},"limit":3}
                """)
        #expect(call.verb == .get && call.body.isEmpty)
        #expect(call.parameters == ["where": .object(["a": 1]), "limit": 3])
        #expect(call.credentials.applicationID == "test")
        #expect(call.credentials.sessionToken == "r:t")
    }

    /// A password need not look like one.
    @Test func queryIsTextToo() throws {
        let call = try call("GET", "/login", query: "username=a&password=1e3&limit=5&x=1.50")
        #expect(call.texts == ["username": "a", "password": "1e3", "limit": "5", "x": "1.50"])
        #expect(call.parameters["limit"] == 5)
    }

    @Test(arguments: [
        ("i1.17.3", "ios"), ("a1.20.0", "android"), ("osx1.2", "osx"), ("js7.0.1", nil),
        ("swift6.1.0", nil), ("apple-1.0", nil), ("i", nil), ("", nil),
    ])
    func deviceIsThatOfClient(version: String, device: String?) throws {
        let headers = ["X-Parse-Client-Version": version]
        #expect(try call("GET", "/config", headers: headers).credentials.deviceType == device)
    }

    @Test func bodyOfPutKeepsItsData() throws {
        let call = try call(
            "POST", "/classes/Note/x",
            body: #"{"_method":"PUT","_ApplicationId":"test","a":null}"#)
        #expect(call.verb == .put && call.body == ["a": .null])
    }

    @Test func deletionHasNoBody() throws {
        let call = try call(
            "POST", "/classes/Note/x", headers: Self.headers, body: #"{"_method":"DELETE"}"#)
        #expect(call.verb == .delete && call.body.isEmpty && call.parameters.isEmpty)
    }

    @Test func queryStringIsJSONWhereItCanBe() throws {
        let call = try call(
            "GET", "/classes/Note", query: "keys=a,b&order=%5B%22-k%22%5D&limit=2&where=%7B%7D",
            headers: Self.headers)
        #expect(
            call.parameters == [
                "keys": "a,b", "order": .array(["-k"]), "limit": 2, "where": .object([:]),
            ])
    }

    @Test func basicAuthorizationNamesApp() throws {
        let call = try call("GET", "/config", headers: ["Authorization": "Basic dGVzdDprZXk="])
        #expect(call.credentials.applicationID == "test")
    }

    @Test(arguments: ["[]", "{", "1", #"{"_method":"PATCH"}"#])
    func badBody(body: String) {
        #expect(throws: ParseFailure.self) {
            try call("POST", "/classes/Note", headers: Self.headers, body: body)
        }
    }

    /// The client for iOS sends one id with all requests of a running app.
    @Test(arguments: [
        ("swift6.1.0", "id"), ("js7.0.1", "id"), ("i6.1.1", nil), ("osx1", nil), ("apple-1", nil),
    ])
    func repeatID(version: String, id: String?) throws {
        var headers = Self.headers
        headers["X-Parse-Client-Version"] = version
        headers["X-Parse-Request-Id"] = "id"
        #expect(try call("POST", "/classes/Note", headers: headers).credentials.repeatID == id)
    }
}
