import Foundation
import Synchronization
import TestKit
import Testing

@testable import Waggle

/// Every transport behaves the same.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
    enum Kind: CaseIterable, Sendable {
        case foundation
        /// The transport that the library uses on this platform.
        case chosen

        func wire(to server: ScriptedServer, path: String = "") throws -> any Transport {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
            return switch self {
            case .foundation: FoundationWire(server: url)
            case .chosen: HTTPWire(server: url)
            }
        }
    }

    @Test(arguments: Kind.allCases) func requestGoesAsItIs(kind: Kind) async throws {
        let requests = Mutex<[ScriptedServer.Request]>([])
        let server = try ScriptedServer { request in
            requests.withLock { $0.append(request) }
            return .bytes(
                ScriptedServer.answer("201 Made", headers: ["X-Name: value"], body: "{}"))
        }
        let wire = try kind.wire(to: server, path: "/below")
        for request in [
            WireRequest(method: "POST", path: "v1/test/sync", token: "secret", body: [1, 2]),
            WireRequest(
                method: "PUT", path: "v1/a", body: [], headers: ["Content-Type": "a/b"]),
            WireRequest(method: "GET", path: "v1/b", headers: ["Range": "bytes=0-1"]),
        ] {
            let answer = try await wire.send(request)
            #expect(answer.status == 201 && answer.body == Array("{}".utf8))
            #expect(answer.headers["x-name"] == "value")
        }
        let came = requests.withLock { $0 }
        let lines = came.map { Set($0.headers.split(separator: "\r\n").map(String.init)) }
        try #require(lines.count == 3)
        #expect(
            lines[0].isSuperset(of: [
                "POST /below/v1/test/sync HTTP/1.1", "Authorization: Bearer secret",
                "Content-Type: application/json",
            ]))
        #expect(Array(came[0].body) == [1, 2])
        #expect(lines[1].isSuperset(of: ["PUT /below/v1/a HTTP/1.1", "Content-Type: a/b"]))
        #expect(lines[2].isSuperset(of: ["GET /below/v1/b HTTP/1.1", "Range: bytes=0-1"]))
        #expect(!came[2].headers.contains("Authorization") && came[2].body.isEmpty)
    }

    @Test(arguments: Kind.allCases) func tokenGoesNowhereElse(kind: Kind) async throws {
        let elsewhere = try ScriptedServer { _ in .bytes(ScriptedServer.answer("200 OK")) }
        let server = try ScriptedServer { _ in
            let place = "Location: http://127.0.0.1:\(elsewhere.port)/"
            return .bytes(ScriptedServer.answer("307 Temporary Redirect", headers: [place]))
        }
        for (method, body) in [("GET", nil), ("POST", [1])] as [(String, [UInt8]?)] {
            let answer = try await kind.wire(to: server).send(
                WireRequest(method: method, path: "a", token: "secret", body: body))
            #expect(answer.status == 307, "\(method)")
        }
        #expect(elsewhere.connections == 0)
    }

    @Test(arguments: Kind.allCases) func incompleteResponseIsError(kind: Kind) async throws {
        let answer = ScriptedServer.answer("200 OK", body: "body")
        for reply in [.lastBytes([]), .lastBytes(answer.dropLast()), .reset]
            as [ScriptedServer.Reply]
        {
            let server = try ScriptedServer { _ in reply }
            do {
                _ = try await kind.wire(to: server).send(WireRequest(method: "GET", path: "a"))
                Issue.record("\(reply) is an answer")
            } catch let failure as WireFailure {
                #expect(!failure.reason.isEmpty)
            }
        }
    }
}
