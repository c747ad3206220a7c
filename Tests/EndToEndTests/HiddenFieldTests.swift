import Administration
import Foundation
import JSON
import TestKit
import Testing

/// Every hidden field contains a canary. None is in what an operator sees as a user, what clients
/// of other products get, what operators without the scope get, or in the export of another
/// person. `LeakTests` does the same on the native wire.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HiddenFieldTests {
    private func note(_ canaries: [String], in answer: Answer, of asker: String) {
        let told = answer.text + answer.headers.map { "\n\($0.key): \($0.value)" }.joined()
        for canary in canaries where told.contains(canary) {
            Issue.record("\(asker) reads \(canary): \(told.prefix(2000))")
        }
    }

    /// Everything that can be read as a user.
    private func paths(_ seeded: SeededFieldService) -> [String] {
        let models = Set(seeded.records.map(\.model.name)).sorted()
        return models.flatMap { model -> [String] in
            let records = seeded.records.filter { $0.model.name == model }.prefix(3)
            return ["records/\(model)", "records/\(model)?count=true", "conflicts?model=\(model)"]
                + records.flatMap { record in
                    ["", "/history", "/relations"].map { "records/\(model)/\(record.guid)\($0)" }
                }
        } + ["conflicts"]
    }

    @Test func operatorAsUserSeesNoMoreThanUser() async throws {
        let seeded = try await SeededFieldService()
        let disputed = try await seeded.disputeEverything()
        let keeper = try await seeded.server.operatorSession("karl", "keeper")
        var seen = 0
        for seat in Seat.fieldService {
            let hidden = seeded.canaries(hiddenFrom: seat, disputed: disputed)
            #expect(!hidden.isEmpty || seat.role == "dispatchers-office", "\(seat)")
            for path in paths(seeded) {
                let mark = path.contains("?") ? "&" : "?"
                let answer = try await seeded.server.admin(
                    "GET",
                    "environments/test/\(path)\(mark)as=\(seat.login)&device="
                        + seat.deviceCategory, as: keeper)
                seen += answer.text.contains("canary") ? 1 : 0
                note(hidden, in: answer, of: "an operator as \(seat) in \(path)")
            }
        }
        #expect(seen > 20, "\(seen)")
    }

    @Test func viewerSeesNoValues() async throws {
        let seeded = try await SeededFieldService()
        let viewer = try await seeded.server.operatorSession("vera", "viewer")
        let record = try #require(seeded.records.first)
        var answered = 0
        for route in AdminRoute.all where route.method == .get && route.answer != .events {
            let path = route.path.split(separator: "/").map { part -> String in
                switch part {
                case ":environment": "test"
                case ":version": "1"
                case ":login": record.owner.login
                case ":model": record.model.name
                case ":guid": record.guid
                default: part.hasPrefix(":") ? "none" : String(part)
                }
            }.joined(separator: "/")
            let own = try await seeded.server.admin("GET", path, as: viewer)
            answered += own.status == 200 ? 1 : 0
            note(["canary"], in: own, of: "a viewer in \(path)")
        }
        #expect(answered > 5, "\(answered)")
        #expect(try !seeded.server.log().contains("canary"))
    }

    /// The export has the records that the person owns, and nothing that others own.
    @Test func exportOfPersonHasNothingOfOthers() async throws {
        let seeded = try await SeededFieldService()
        let keeper = try await seeded.server.operatorSession("karl", "keeper")
        for login in Set(Seat.fieldService.map(\.login)).sorted() {
            let exported = try await seeded.server.admin(
                "GET", "environments/test/users/\(login)/export", as: keeper)
            #expect(exported.status == 200)
            let others = seeded.records.filter { $0.owner.login != login }
                .flatMap { $0.fields.values.compactMap(\.canary) }
            note(others, in: exported, of: "the export of \(login)")
            let own = seeded.records.filter { $0.owner.login == login }
            #expect(own.isEmpty || exported.text.contains("canary"), "\(login)")
        }
    }

    @Test func clientsOfOtherProductsGetNoHiddenField() async throws {
        let seeded = try await SeededFieldService(arguments: "--azure", "--parse")
        let disputed = try await seeded.disputeEverything()
        let models = Set(seeded.records.map(\.model.name)).sorted()
        var seen = 0
        for seat in Seat.fieldService where seat.deviceCategory == "mobile" {
            let hidden = seeded.canaries(hiddenFrom: seat, disputed: disputed)
            let token = try seeded.client(seat).token
            let wires: [(path: String, headers: [String: String])] = [
                ("/tables/", ["ZUMO-API-VERSION": "2.0.0", "X-ZUMO-AUTH": token]),
                (
                    "/parse/classes/",
                    ["X-Parse-Application-Id": "test", "X-Parse-Session-Token": "r:" + token]
                ),
            ]
            for wire in wires {
                for model in models {
                    let list = try await seeded.server.request(
                        "GET", wire.path + model, headers: wire.headers)
                    seen += list.text.contains("canary") ? 1 : 0
                    note(hidden, in: list, of: "\(seat) in \(wire.path)\(model)")
                    for record in seeded.records where record.model.name == model {
                        let one = try await seeded.server.request(
                            "GET", "\(wire.path)\(model)/\(record.guid)", headers: wire.headers)
                        note(hidden, in: one, of: "\(seat) in \(wire.path)\(model)/…")
                    }
                }
            }
        }
        #expect(seen > 10, "\(seen)")
    }
}
