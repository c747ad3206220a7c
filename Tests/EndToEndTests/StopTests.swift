import Foundation
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StopTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aServerThatIsToldToStopFinishesWhatItWasAsked(signal: Int32) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let idle = try RawConnection(port: server.port)
        async let asked = server.askToSignIn("a", device: "in-flight")
        // A sign-in is counted before its password is compared, which takes long.
        while try await server.site.sql("SELECT count(*) FROM failed_sign_ins") == "0" {
            guard try await server.sessionsOf(device: "in-flight") == "0" else {
                Issue.record("it was too fast to be caught")
                return
            }
        }
        server.send(signal)
        let answer = try await asked
        #expect(answer.status == 201)
        #expect(try answer.message(as: SessionResponse.self).login == "a")
        #expect(await server.exitCode() == 0)
        #expect(try server.log().hasSuffix("stopped\n"))
        #expect(throws: Unexpected.self) { try RawConnection(port: server.port) }
        #expect(await idle.receiveAll() == "")
        #expect(try await server.sessionsOf(device: "in-flight") == "1")
    }

    @Test(.withAFile) func whenItHasStoppedEverythingIsInTheOneFile() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(await server.stop() == 0)
        let copy = try Site(definition: definition("Conflicts"))
        try server.site.folder.bytes(of: "app.sqlite")
            .write(to: URL(fileURLWithPath: copy.database))
        #expect(try await copy.sql("SELECT count(*) FROM records") == "1")
    }

    @Test func sessionsAndCursorsOutliveARestart() async throws {
        let site = try await Site(prepared: "Conflicts")
        var server = try await RunningServer(site: site)
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        let before = try await server.client("b").sync()
        #expect(before.records.count == 1)
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site)
        let after = try await server.client("b").sync(cursor: before.cursor)
        #expect(after.records == [] && !after.resync && after.cursor == before.cursor)
    }
}

extension RunningServer {
    fileprivate func sessionsOf(device: String) async throws -> String {
        try await site.sql(
            "SELECT count(*) FROM sessions WHERE device_identifier = '\(device)'")
    }
}
