import Foundation
import JSON
import SyncProtocol
import Testing

/// Records over `/admin/v1`, as an operator and as a user.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdminRecordTests {
    private func change(
        _ action: String, _ guid: String, base: Int64? = nil, _ fields: String
    ) -> String {
        let base = base.map { "\"base\":\($0)," } ?? ""
        return """
            {"id":"\(UUID().uuidString)","action":"\(action)","model":"ConflictsEntity",\(base)
            "guid":"\(guid)","fields":\(fields)}
            """
    }

    @Test func operatorChangesRecordsInTheirOwnName() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let guid = UUID().uuidString.lowercased()
        let logins = try await server.admin("GET", "environments/test/users", as: keeper)
        let login = try #require(logins.text.firstMatch(of: /"login":"(\w+)"/)?.1)
        func push(_ change: String, owner: Substring? = nil) async throws -> Answer {
            let owner = owner.map { "\"owner\":\"\($0)\"," } ?? ""
            return try await server.admin(
                "POST", "environments/test/changes", "{\(owner)\"changes\":[\(change)]}",
                as: keeper)
        }
        let nobody = try await push(change("create", guid, #"{"title":"a","score":1}"#))
        #expect(try nobody.error().code == "ownerMissing")
        let created = try await push(
            change("create", guid, #"{"title":"a","score":1}"#), owner: login)
        #expect(created.text.contains("accepted"), "\(created.text)")
        let refused = try await push(change("update", guid, base: 1, #"{"score":9}"#))
        #expect(refused.text.contains("refused"), "the limits of the definition count")
        let path = "environments/test/records/ConflictsEntity"
        let list = try await server.admin("GET", "\(path)?limit=5", as: keeper)
        #expect(list.text.contains(guid), "\(list.text)")
        let one = try await server.admin("GET", "\(path)/\(guid)", as: keeper)
        #expect(one.text.contains(#""title":"a""#), "\(one.text)")
        let history = try await server.admin("GET", "\(path)/\(guid)/history", as: keeper)
        #expect(history.text.contains("operator karl"), "\(history.text)")
        let conflicts = try await server.admin(
            "GET", "environments/test/conflicts", as: keeper)
        #expect(conflicts.status == 200, "\(conflicts.text)")
    }

    @Test func operatorLooksAsUserWithoutTheirPassword() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let designer = try await server.operatorSession("dora", "designer")
        let path = "environments/test/records/customer"
        let created = try await server.admin(
            "POST", "environments/test/changes",
            """
            {"owner":"tina","changes":[{"id":"1","action":"create","model":"customer",
            "guid":"0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54",
            "fields":{"name":"n","active":true,"creditLimit":"5"}}]}
            """, as: designer)
        #expect(created.text.contains("accepted"), "\(created.text)")
        let own = try await server.admin("GET", path, as: designer)
        let seen = try await server.admin("GET", "\(path)?as=tina&device=mobile", as: designer)
        #expect(own.status == 200 && seen.status == 200, "\(seen.text)")
        let tina = try server.client("tina")
        let expected = try await tina.call("GET", "records/customer")
        #expect(seen.text == expected.text)
        #expect(own.text.contains("creditLimit") && seen.text.contains(#""name":"n""#))
        #expect(!seen.text.contains("creditLimit"), "\(seen.text)")
        let guid = "0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54"
        let one = try await server.admin(
            "GET", "\(path)/\(guid)?as=tina&device=mobile&fields=name", as: designer)
        #expect(one.status == 200 && one.text.contains(#""name":"n""#), "\(one.text)")
        let log = try await server.admin("GET", "activity", as: designer)
        #expect(log.text.contains(#""target":"tina mobile""#), "\(log.text)")
        // The entry has them as the text of a JSON object.
        let written = log.text.replacing(#"\""#, with: #"""#)
        let read = #""guid":"\#(guid)","model":"customer","parameters":["fields"]"#
        #expect(written.contains(read), "\(written)")
        #expect(written.contains(#"{"model":"customer","parameters":[]}"#), "\(written)")
        for (query, code) in [
            ("as=tina", "parameterIllegal"), ("as=none&device=mobile", "userUnknown"),
            ("as=tina&device=none", "roleUnknown"), ("lim=1", "parameterUnknown"),
        ] {
            let answer = try await server.admin("GET", "\(path)?\(query)", as: designer)
            #expect(try answer.error().code == code, "\(query): \(answer.text)")
        }
    }
}
