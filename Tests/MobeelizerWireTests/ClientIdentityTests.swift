import DefinitionCompiler
import DefinitionModel
import Foundation
import SyncEngine
import Testing
import VersionTranslation

@testable import MobeelizerWire

@Suite("The headers of a request identify the client")
struct ClientIdentityTests {
    private static let headers = [
        "mas-vendor-name": "waggle", "mas-application-name": "films",
        "mas-application-instance-name": "test", "mas-definition-digest": "d",
        "mas-device-name": "mobile", "mas-device-identifier": "phone", "mas-user-name": "a",
        "mas-user-password": "secret of \u{E4}",
    ]

    private func identity(
        _ changes: [String: String?] = [:]
    ) throws(WireRefusal) -> ClientIdentity {
        let headers = Self.headers.merging(changes.compactMapValues { $0 }) { $1 }
            .filter { changes[$0.key] != .some(nil) }
        return try ClientIdentity { headers[$0] }
    }

    @Test func identityIsRead() throws {
        #expect(
            try identity()
                == ClientIdentity(
                    vendor: "waggle", application: "films", environment: "test", digest: "d",
                    deviceCategory: "mobile", deviceIdentifier: "phone", login: "a",
                    password: "secret of \u{E4}"))
    }

    @Test(arguments: [
        ("ios-sdk-1.1.0", ClientLibrary.iOS), ("android-sdk-1.7.1", .android), ("1.5.0", .other),
    ])
    func libraryIsTold(version: String, library: ClientLibrary) throws {
        #expect(try identity(["mas-sdk-version": version]).library == library)
    }

    @Test(arguments: headers.keys.sorted(), [nil, ""])
    func eachHasToBeThere(name: String, value: String?) {
        #expect(throws: WireRefusal.headerMissing(name)) { try identity([name: value]) }
    }

    /// Selected by the digest of its version, current or former.
    @Test func clientIsServedByItsOwnVersion() throws {
        let (old, new) = (try definition("title"), try definition("name"))
        let served = ServedVersions(now: Rules(new), before: [old])
        for (definition, name) in [(old, "title"), (new, "name")] {
            let mapping = try #require(
                try served.mapping(
                    for: try identity(["mas-definition-digest": definition.digest])))
            let model = try #require(mapping.model("Film"))
            #expect(model.field("name")?.client.name == name)
        }
    }

    @Test func unservedClientsAreRefusedWithReason() throws {
        let now = try definition("name")
        let served = ServedVersions(now: Rules(now), before: [])
        let digest = ["mas-definition-digest": now.digest]
        func refusal(_ changes: [String: String?]) -> WireRefusal? {
            do throws(WireRefusal) {
                _ = try served.mapping(for: try identity(changes.merging(digest) { own, _ in own }))
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([:]) == nil)
        #expect(refusal(["mas-vendor-name": "x"])?.arguments == ["x/films", "test"])
        #expect(refusal(["mas-application-name": "x"])?.arguments == ["waggle/x", "test"])
        #expect(try served.mapping(for: try identity(["mas-definition-digest": "x"])) == nil)
    }

    @Test func refusalHasShapeThatClientsKnow() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(
            decoding: try encoder.encode(WireRefusal.digestUnknown("x")), as: UTF8.self)
        #expect(text.hasPrefix(#"{"arguments":["x"],"code":"other","message":"the definition"#))
    }

    private func definition(_ field: String) throws -> Definition {
        let rename = field == "name" ? #" w:renamedFrom="title""# : ""
        let source = SourceFile(
            name: "application.xml",
            bytes: Array(
                """
                <application xmlns="http://schema.mobeelizer.com/application"
                  xmlns:w="urn:waggle:definition" application="films" vendor="waggle"
                  conflictMode="OVERWRITE">
                  <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
                  <roles><role group="users" device="mobile"/></roles>
                  <models><model name="Film"><fields>
                    <field name="\(field)" type="TEXT"\(rename)/>
                  </fields></model></models>
                </application>
                """.utf8))
        return try #require(recompile(source).definition)
    }
}
