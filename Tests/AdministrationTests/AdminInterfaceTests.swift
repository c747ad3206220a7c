import Administration
import JSON
import TestKit
import Testing

@Suite struct AdminInterfaceTests {
    @Test func everyOperationHasOneRoute() {
        #expect(
            AdminRoute.all.map(\.operation.rawValue).sorted()
                == AdminOperation.allCases.map(\.rawValue).sorted())
        let places = AdminRoute.all.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(places).count == places.count)
    }

    /// Without exceptions, nobody who is unknown gets anything.
    @Test func onlySignInAndSetUpAreForAnyone() {
        let open = AdminRoute.all.filter { $0.access == .anyone }.map(\.operation)
        #expect(open == [.setUp, .signIn])
    }

    @Test func everyUnsafeOperationNeedsScopeBeyondLooking() {
        let harmless: Set<AdminOperation> = [
            .check, .diff, .explain, .showSentRights, .explainSentRight, .edit, .drawDiagram,
            .generateModels, .makePackage,
        ]
        for route in AdminRoute.all
        where route.method != .get && !harmless.contains(route.operation) {
            guard case .scopes(let scopes, _) = route.access else { continue }
            #expect(!scopes.contains(.viewer), "\(route.path)")
        }
    }

    @Test func examplesHaveTheirShapes() throws {
        for route in AdminRoute.all {
            if let body = route.body { try body.check(body.example) }
            switch route.answer {
            case .json(let shape, _), .summary(let shape): try shape.check(shape.example)
            case .page(let shape):
                let page = MessageShape.page(of: shape)
                try page.check(page.example)
            case .empty, .xml, .zip, .bytes, .rows, .events, .text: continue
            }
        }
    }

    /// The document has the routes of the router, which is made from the same table.
    @Test func documentHasEveryRoute() throws {
        let document = adminInterface()
        #expect(document["openapi"] == .string("3.1.0"))
        guard case .object(let paths) = document["paths"] else {
            Issue.record("no paths")
            return
        }
        var places: [String] = []
        for (path, item) in paths {
            guard case .object(let methods) = item else { continue }
            places += methods.keys.map { "\($0.uppercased()) \(path)" }
        }
        let expected = AdminRoute.all.map { route in
            "\(route.method.rawValue) /" + route.path.replacing(/:(\w+)/) { "{\($0.1)}" }
        }
        #expect(places.sorted() == expected.sorted())
    }

    @Test func headersOfDraftsAndFilesAreDocumented() throws {
        let paths = try #require(adminInterface()["paths"])
        let draft = try #require(paths["/drafts/{draft}"])
        #expect(draft["put"]?["parameters"]?.text.contains(#""name":"If-Match""#) ?? false)
        for method in ["get", "put"] {
            #expect(draft[method]?["responses"]?["200"]?["headers"]?["ETag"] != nil)
        }
        let file = try #require(paths["/environments/{environment}/files/{guid}"]?["get"])
        #expect(file["parameters"]?.text.contains(#""name":"Range""#) ?? false)
        #expect(file["responses"]?["200"]?["headers"]?["ETag"] != nil)
        #expect(paths["/drafts"]?["get"]?["responses"]?["200"]?["headers"] == nil)
    }

    /// An export begins with its first row, whatever a client has already.
    @Test func exportIsDocumentedWithoutParts() throws {
        let paths = try #require(adminInterface()["paths"])
        let export = try #require(paths["/environments/{environment}/export"]?["get"])
        #expect(!(export["parameters"]?.text.contains(#""in":"header""#) ?? true))
        let answers = try #require(export["responses"])
        #expect(answers["206"] == nil && answers["304"] == nil)
        #expect(answers["200"]?["headers"] == nil)
        #expect(answers["200"]?["content"]?["text/csv"] != nil)
        #expect(answers["200"]?["content"]?["application/jsonl"] != nil)
    }

    /// A document that allows every status would describe every answer.
    @Test func everyAnswerIsNamedByItsStatus() throws {
        let document = adminInterface()
        let refusals = try #require(document["components"]?["responses"])
        for route in AdminRoute.all {
            let path = "/" + route.path.replacing(/:(\w+)/) { "{\($0.1)}" }
            let method = route.method.rawValue.lowercased()
            let answers = try #require(document["paths"]?[path]?[method]?["responses"])
            #expect(answers["default"] == nil, "\(route.operation)")
            for status in route.refusals {
                let reference = "#/components/responses/refusal\(status.rawValue)"
                #expect(answers["\(status.rawValue)"]?["$ref"] == .string(reference))
                #expect(refusals["refusal\(status.rawValue)"]?["content"] != nil)
            }
        }
    }

    @Test func refusalsFollowFromTheRoute() throws {
        let table: [(AdminOperation, with: Set<RefusalStatus>, without: Set<RefusalStatus>)] = [
            (
                .signIn, [.unauthorized, .tooManyRequests, .contentTooLarge],
                [.notFound, .conflict]
            ),
            (.showSession, [.unauthorized, .forbidden], [.notFound, .unsupportedMediaType]),
            (.showEnvironment, [.notFound, .conflict], [.contentTooLarge, .preconditionFailed]),
            (.writeDraft, [.preconditionFailed, .conflict], [.tooManyRequests]),
            (.showFile, [.rangeNotSatisfiable, .unsupportedMediaType], [.contentTooLarge]),
            (.listRecords, [.unprocessableContent], [.conflict]),
            (.followEvents, [.tooManyRequests], [.unprocessableContent]),
            (.check, [.contentTooLarge], [.unprocessableContent, .conflict]),
            (.edit, [.unprocessableContent, .conflict], [.notFound]),
        ]
        for (operation, some, others) in table {
            let route = try #require(AdminRoute.all.first { $0.operation == operation })
            #expect(route.refusals.isSuperset(of: some), "\(operation)")
            #expect(route.refusals.isDisjoint(with: others), "\(operation)")
        }
    }

    @Test func tokenIsMadeInSessionOnly() throws {
        let tokens = try #require(adminInterface()["paths"]?["/tokens"])
        #expect(tokens["post"]?["security"] == .array([.object(["session": .array([])])]))
        #expect(tokens["get"]?["security"]?.text.contains("token") ?? false)
    }

    /// A reader of the table knows what a keeper may see.
    @Test func pageSaysWhatKeepersMayDo() throws {
        let page = String(
            decoding: try bytes(
                ofFile: "Sources/Waggle/Documentation.docc/Administering.md"), as: UTF8.self)
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| keeper |") })
        let groups: [(AdminOperation, String)] = [
            (.changeUser, "users"), (.listRecords, "records"), (.showHistory, "histories"),
            (.listConflicts, "conflicts"), (.showFile, "files"),
            (.sendNotification, "notifications"), (.importRecords, "import"),
            (.exportRecords, "export"), (.eraseUser, "erase"),
        ]
        for (operation, word) in groups {
            let route = try #require(AdminRoute.all.first { $0.operation == operation })
            #expect(route.access.description.contains("keeper") == row.contains(word), "\(word)")
        }
    }

    @Test func pageNamesEveryRouteWithItsConditions() throws {
        let page = String(
            decoding: try bytes(
                ofFile: "Sources/Waggle/Documentation.docc/Administering.md"), as: UTF8.self)
        for route in AdminRoute.all {
            let path = route.path.replacing(/:(\w+)/) { $0.1.uppercased() }
            let row =
                "| `\(route.method.rawValue) /admin/v1/\(path)` | \(route.access.description) |"
            #expect(page.contains(row), "\(row) \(route.summary) |")
        }
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}
