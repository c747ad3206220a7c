import Administration
import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// Console and workbench over HTTP, with the real process.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WorkbenchTests {
    @Test(arguments: [
        ("/console", 200, "text/html; charset=utf-8"),
        ("/console/", 200, "text/html; charset=utf-8"),
        ("/console/models", 200, "text/html; charset=utf-8"),
        ("/console/modules/api.js", 200, "text/javascript; charset=utf-8"),
        ("/console/styles/base.css", 200, "text/css; charset=utf-8"),
        ("/console/nothing", 404, "text/html; charset=utf-8"),
        ("/console/modules/..%2Fpages%2Fstart.html", 404, "text/html; charset=utf-8"),
    ])
    func fileOfConsoleIsServedWithPolicy(path: String, status: Int, type: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let answer = try await server.request("GET", path)
        #expect(answer.status == status)
        #expect(answer.header("Content-Type") == type)
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
    }

    @Test func fileThatTheBrowserHasIsNotSentAgain() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let path = "/console/styles/base.css"
        let tag = try #require(try await server.request("GET", path).header("ETag"))
        let again = try await server.request("GET", path, headers: ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
    }

    @Test(arguments: [
        (["--console", "off"], 404), (["--admin", "off"], 404), (["--console", "on"], 200),
        (["--host", "0.0.0.0"], 404),
    ])
    func consoleIsOnForThisMachineUnlessTold(arguments: [String], status: Int) async throws {
        let site = try await Site(prepared: "Conflicts", changing: { $0 })
        let server = try await RunningServer(site: site, arguments: arguments)
        #expect(try await server.request("GET", "/console/").status == status)
    }

    private static let source = """
        <application application="a" vendor="v"><!-- kept -->
          <models/>
        </application>
        """

    @Test func editAnswersWithTextAndFindings() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let viewer = try await server.operatorSession("vera", "viewer")
        let request = JSONValue.object([
            "xml": .string(Self.source),
            "edits": .array([
                .object([
                    "do": "add",
                    "path": .array([.array(["models"]), .array(["model", "name", "note"])]),
                ])
            ]),
        ])
        let answer = try await server.admin("POST", "edit", request.text, as: viewer)
        #expect(answer.status == 200)
        let added = "<models>\n    <model name=\"note\"/>\n  </models>"
        #expect(
            try answer.member("xml")
                == .string(Self.source.replacing("<models/>", with: added)))
        guard case .array(let found) = try answer.member("diagnostics"),
            case .object(let first) = found.first
        else {
            Issue.record("no diagnostics")
            return
        }
        #expect(first["line"] == .integer(1))
    }

    @Test(arguments: [
        (#"{"xml":"<a","edits":[{"do":"add","path":[["models"]]}]}"#, 422, "definitionIllegible"),
        (#"{"xml":"<a/>","edits":[{"do":"remove","path":[["models"]]}]}"#, 409, "elementMissing"),
        (#"{"xml":"<a/>","edits":[{"do":"add","path":[["a b"]]}]}"#, 400, "editIllegal"),
        (#"{"xml":"<a/>","edits":[{"do":"dance"}]}"#, 400, "wrongShape"),
    ])
    func impossibleEditIsRefused(body: String, status: Int, code: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let viewer = try await server.operatorSession("vera", "viewer")
        let answer = try await server.admin("POST", "edit", body, as: viewer)
        #expect(answer.status == status)
        #expect(try answer.error().code == code)
    }

    /// They are those of the same definition once it is deployed.
    @Test func rightsComeFromSentText() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let viewer = try await server.operatorSession("vera", "viewer")
        let xml = JSONValue.string(try definition("Permissions"))
        let body = JSONValue.object(["xml": xml]).text
        let rights = try await server.admin("POST", "rights", body, as: viewer)
        let deployed = try await server.admin("GET", "environments/test/rights", as: viewer)
        #expect(rights.status == 200 && rights.text == deployed.text)

        var inquiry: [String: JSONValue] = [
            "role": "users-mobile", "model": "PermissionsEntity", "field": "title",
            "operation": "update", "owner": "other",
        ]
        let expected = try await server.admin(
            "POST", "environments/test/explain", JSONValue.object(inquiry).text, as: viewer)
        inquiry["xml"] = xml
        let told = try await server.admin(
            "POST", "explain", JSONValue.object(inquiry).text, as: viewer)
        #expect(told.status == 200 && told.text.contains("application.xml"), "\(told.text)")
        for name in ["allowed", "reason", "role", "model", "field", "operation", "owner"] {
            #expect(try told.member(name) == expected.member(name), "\(name)")
        }

        inquiry["model"] = "Nothing"
        let unknown = try await server.admin(
            "POST", "explain", JSONValue.object(inquiry).text, as: viewer)
        #expect(try unknown.status == 400 && unknown.error().code == "nameUnknown")
        let faulty = try await server.admin(
            "POST", "rights", #"{"xml":"<application/>"}"#, as: viewer)
        #expect(try faulty.status == 422 && faulty.error().code == "definitionFaulty")
    }

    @Test func everyExampleIsADefinition() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let viewer = try await server.operatorSession("vera", "viewer")
        let list = try await server.admin("GET", "examples", as: viewer).json()
        #expect(
            list.elements.map { $0.member("name")?.string }
                == ["conflicts", "permissions", "todo", "dates"])
        for example in list.elements {
            let xml = try #require(example.member("xml")?.string)
            #expect(try xml == definition(#require(example.member("title")?.string)))
        }
    }

    @Test func diagramModelsPackageAndDiagnosticComeFromSentText() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let viewer = try await server.operatorSession("vera", "viewer")
        let xml = JSONValue.string(try definition("Conflicts"))

        let diagram = try await server.admin(
            "POST", "diagram", JSONValue.object(["xml": xml]).text, as: viewer)
        guard case .array(let boxes) = try diagram.member("boxes") else {
            Issue.record("no boxes")
            return
        }
        #expect(boxes.count == 1)

        let models = try await server.admin(
            "POST", "models",
            JSONValue.object(["xml": xml, "language": "swift", "prefix": "MMD"]).text, as: viewer)
        #expect(models.header("Content-Type") == "application/zip")
        #expect(models.body.starts(with: Array("PK".utf8)))
        #expect(models.body.range(of: Data("models/MMDConflictsEntity.swift".utf8)) != nil)

        let package = try await server.admin(
            "POST", "package",
            JSONValue.object([
                "xml": xml, "name": "Stars", "prefix": "MMD", "classPrefix": "MD",
                "library": "https://example.org/waggle",
            ]).text, as: viewer)
        #expect(
            package.header("Content-Disposition") == "attachment; filename=\"Stars.zip\"")
        #expect(package.body.range(of: Data("Stars/Sources/".utf8)) != nil)

        let page = try await server.admin("GET", "diagnostics/defaultBreaksLimit", as: viewer)
        #expect(try page.member("severity") == "error")
        let unknown = try await server.admin("GET", "diagnostics/x", as: viewer)
        #expect(try unknown.error().code == "diagnosticUnknown")
    }

    static let checkout = String(
        repositoryPath("Package.swift").dropLast("/Package.swift".count))

    /// Without a library in the request: the checkout of the tool, for those on its machine, or the
    /// one of the settings.
    @Test(
        arguments: [
            ([], checkout, ".package(name: \"waggle\", path: \"\(checkout)\")"),
            (
                ["--library-address", "https://git.example/waggle"], "https://git.example/waggle",
                ".package(url: \"https://git.example/waggle\", branch: \"main\")"
            ),
            (["--admin", "on"], nil, nil),
        ] as [([String], String?, String?)])
    func packageDependsOnLibraryOfServer(
        arguments: [String], library: String?, dependency: String?
    ) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: arguments)
        let viewer = try await server.operatorSession("vera", "viewer")
        let offered = try await server.admin("GET", "library", as: viewer)
        #expect(try offered.member("library") == JSONValue(text: library))
        let body = JSONValue.object([
            "xml": .string(try definition("Conflicts")), "name": "Stars", "prefix": "MMD",
        ])
        let package = try await server.admin("POST", "package", body.text, as: viewer)
        guard let dependency else {
            #expect(try package.error().code == "generatorRefuses")
            return
        }
        let manifest = try #require(try unzipped(package.body)["Stars/Package.swift"])
        #expect(manifest.contains(dependency), "\(manifest)")
    }

    @Test func draftOfTwoDesignersIsNotOverwritten() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let ann = try await server.operatorSession("ann", "designer")
        let ben = try await server.operatorSession("ben", "designer")
        let path = "drafts/notes"
        let first = try await server.admin("PUT", path, #"{"xml":"<a/>"}"#, as: ann)
        #expect(first.status == 200)
        let tag = try #require(first.header("ETag"))
        let second = try await server.admin(
            "PUT", path, #"{"xml":"<b/>"}"#, as: ben.with("If-Match", tag))
        #expect(second.status == 200)
        let stale = try await server.admin(
            "PUT", path, #"{"xml":"<c/>"}"#, as: ann.with("If-Match", tag))
        #expect(stale.status == 412)
        #expect(try stale.error().code == "draftStale")
        #expect(try stale.error().details["author"] == "ben")
        let again = try await server.admin("PUT", path, #"{"xml":"<c/>"}"#, as: ann)
        #expect(again.status == 412)

        let shown = try await server.admin("GET", path, as: ann)
        #expect(try shown.member("xml") == "<b/>")
        #expect(shown.header("ETag") == second.header("ETag"))
        #expect(try await server.admin("DELETE", path, as: ann).status == 204)
        #expect(try await server.admin("GET", path, as: ann).status == 404)
    }
}
