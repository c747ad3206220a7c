import DefinitionModel
import ForeignValues
import HTTPTypes
import Testing

@testable import AzureWire

/// The values of rows, and what requests tell of their clients.
@Suite struct RowTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
            (1_763_712_010_460, "2025-11-21T08:00:10.460Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]) func timeHasThreeDigits(milliseconds: Int64, text: String)
    {
        #expect(preciseInstant(milliseconds: milliseconds) == text)
        #expect(ForeignValues.milliseconds(ofWritten: text) == milliseconds)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:01Z", 1000), ("1970-01-01T00:00:01", 1000),
            ("1970-01-01T00:00:01.5", 1500), ("1970-01-01T00:00:01.1234567Z", 1123),
            ("1970-01-01T02:00:01+02:00", 1000), ("1969-12-31T22:30:01-01:30", 1000),
            ("1970-01-02", 86_400_000), ("today", nil), ("12", nil), ("1970-13-01", nil),
            ("1970-01-01T00:00:01.Z", nil), ("1970-01-01T00:00:01.xZ", nil), ("", nil),
        ] as [(String, Int64?)]) func timeIsRead(text: String, milliseconds: Int64?)
    {
        #expect(ForeignValues.milliseconds(ofWritten: text) == milliseconds)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:01 GMT", 1000),
            ("Fri, 21 Nov 2025 08:00:10 GMT", 1_763_712_010_000),
            ("1970-01-01T00:00:01Z", nil), ("Thu, 01 Foo 1970 00:00:01 GMT", nil), ("", nil),
        ] as [(String, Int64?)]) func timeOfHeaderIsRead(text: String, milliseconds: Int64?)
    {
        #expect(AzureWire.milliseconds(ofHeader: text) == milliseconds)
    }

    @Test func versionIsRevisionInBase64() {
        #expect(RowVersion(1001).text == "AAAAAAAAA+k=")
        #expect(RowVersion("AAAAAAAAA+k=")?.revision == 1001)
        #expect(RowVersion("AAAAAAAAA+l=") == nil && RowVersion("AAAAAAAAA+k") == nil)
        #expect(RowVersion("AAAA") == nil && RowVersion("?") == nil)
        #expect(RowVersion(1).tag == "\"AAAAAAAAAAE=\"")
    }

    @Test func conditionIsRead() throws {
        let tag = RowVersion(7).tag
        #expect(try RowCondition(ifMatch: nil, .apps) == .none)
        #expect(try RowCondition(ifMatch: "*", .apps) == .none)
        #expect(try RowCondition(ifMatch: tag, .apps) == .version(RowVersion(7)))
        #expect(try RowCondition(ifMatch: "W/\(tag)", .apps) == .version(RowVersion(7)))
        #expect(try RowCondition(ifMatch: "\"W/\(tag)\"", .apps) == .version(RowVersion(7)))
        #expect(try RowCondition(ifMatch: "\"x\"", .apps) == .version(nil))
        for header in ["W/\(tag)", "\"W/\(tag)\"", "\(tag), \(tag)", "AAA"] {
            #expect(throws: QuestionFault.self) { try RowCondition(ifMatch: header, .services) }
        }
    }

    @Test(
        arguments: [
            ("GET", "", ["x-zumo-installation-id": "i"], .services),
            ("POST", "", ["x-zumo-application": "key"], .services),
            ("DELETE", "", ["x-zumo-version": "ZUMO/1.2 (lang=Web)"], .services),
            ("GET", "__includeDeleted=true", ["x-zumo-features": "OL"], .services),
            ("GET", "", ["x-zumo-master": "key", "x-zumo-auth": "token"], .services),
            ("PUT", "", ["x-zumo-installation-id": "i"], .datasync),
            ("PUT", "", ["x-zumo-application": "key"], .services),
            ("PUT", "", ["x-zumo-version": "ZUMO/1.2 (lang=Web)"], .services),
            ("PUT", "", [:], .datasync),
            ("GET", "$count=true", ["x-zumo-installation-id": "i"], .datasync),
            ("GET", "__includedeleted=true", ["x-zumo-installation-id": "i"], .datasync),
            // A client of the Toolkit with an HTTP client of its own.
            ("GET", "", [:], .datasync), ("POST", "", [:], .datasync),
            ("DELETE", "", ["if-match": "\"x\""], .datasync),
            ("POST", "", ["x-zumo-auth": "token"], .datasync),
            ("GET", "", ["user-agent": "Datasync/6.0"], .datasync),
            ("GET", "", ["zumo-api-version": "2.0.0"], .apps),
            ("GET", "ZUMO-api-version=2.0.1", [:], .apps),
            ("PATCH", "", ["zumo-api-version": "3.0.0"], .datasync),
        ] as [(String, String, [String: String], ClientGeneration)])
    func generationIsTold(
        method: String, query: String, headers: [String: String], dialect: ClientGeneration
    ) throws {
        let traits = try ClientTraits(
            method: method, parameters: URLParameters(query: query)
        ) { headers[$0] }
        #expect(traits.dialect == dialect)
    }

    @Test(
        arguments: [
            ([:], true), (["zumo-api-version": "3.0.0"], true),
            (["zumo-api-version": "3.0.0", "x-zumo-version": "Datasync/6.0"], false),
            (["zumo-api-version": "2.0.1"], false), (["x-zumo-installation-id": "i"], false),
        ] as [([String: String], Bool)])
    func clientLeavesOutDefaults(headers: [String: String], does: Bool) throws {
        let traits = try ClientTraits(
            method: "POST", parameters: URLParameters(query: "")
        ) { headers[$0] }
        #expect(traits.omitsDefaults == does)
    }

    /// A replacement of a row tells the third generation, one of a push registration does not. A
    /// browser in which an app signs in sends no headers of the app.
    @Test(
        arguments: [
            ("PUT", "push", ["x-zumo-installation-id": "i"], .services),
            ("GET", "login/x", [:], .services), ("GET", ".auth/login/x", [:], .apps),
            ("GET", ".auth/login/x/callback", [:], .apps),
            ("POST", "login/x", [:], .datasync), ("POST", ".auth/login/x", [:], .datasync),
            ("GET", ".auth/me", [:], .datasync), ("GET", ".auth/refresh", [:], .datasync),
            ("GET", ".auth/login", [:], .datasync), ("GET", "login", [:], .datasync),
            ("GET", ".auth/login/x", ["x-zumo-installation-id": "i"], .services),
            ("GET", ".auth/login/x", ["user-agent": "Datasync/6.0"], .datasync),
            ("GET", "tables", [:], .datasync), ("GET", "push", [:], .datasync),
        ] as [(String, String, [String: String], ClientGeneration)])
    func pathTellsGeneration(
        method: String, path: String, headers: [String: String], dialect: ClientGeneration
    ) throws {
        let traits = try ClientTraits(
            method: method, path: path.split(separator: "/").map(String.init),
            parameters: URLParameters(query: "")
        ) { headers[$0] }
        #expect(traits.dialect == dialect)
    }

    @Test func idsAreOfGeneration() {
        for id in ["Movie 000", "é", "a", String(repeating: "x", count: 255)] {
            #expect(isLegalRowID(id, .apps) && isLegalRowID(id, .services))
        }
        for id in ["", ".", "..", "a/b", "a\"", "a+b", "a?", "a\\b", "a`", "a\nb"] {
            #expect(!isLegalRowID(id, .apps) && !isLegalRowID(id, .datasync))
        }
        #expect(isLegalRowID("a.b|c:d-e_f", .datasync))
        #expect(!isLegalRowID("-a", .datasync) && !isLegalRowID("a b", .datasync))
    }

    @Test func refusalStopsNoQueue() throws {
        let client = try ClientTraits(method: "PATCH", parameters: URLParameters(query: "")) {
            [
                "zumo-api-version": "2.0.1", "x-zumo-features": "OL",
                "x-zumo-version": "ZUMO/2.0 (lang=Cordova)",
            ][$0]
        }
        #expect(AzureRefusal(.badRequest, "x").meant(for: client).status == .conflict)
        #expect(AzureRefusal(.unauthorized, "x").meant(for: client).status == .unauthorized)
        #expect(AzureRefusal(.badRequest, "x").meant(for: .unknown).status == .badRequest)
    }
}
