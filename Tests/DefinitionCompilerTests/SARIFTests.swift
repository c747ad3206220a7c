import DefinitionCompiler
import DefinitionModel
import Testing

/// The SARIF output is valid SARIF 2.1.0 and agrees with the other formats.
@Suite struct SARIFTests {
    @Test(arguments: Fixtures.names)
    func keepsRules(name: String) throws {
        let log = try sarif([try Fixtures.source(name)])
        #expect(violations(in: log) == [])
    }

    @Test(arguments: Fixtures.names)
    func reportsEveryDiagnostic(name: String) throws {
        let source = try Fixtures.source(name)
        let diagnostics = compile(source).diagnostics
        let results = try sarif([source])["runs", "0", "results"]?.items ?? []
        #expect(results.map { $0["ruleId"]?.text } == diagnostics.map(\.id))
        #expect(results.map { $0["level"]?.text } == diagnostics.map(\.severity.rawValue))
        for (result, diagnostic) in zip(results, diagnostics) {
            let message = result["message", "text"]?.text ?? ""
            #expect(message.hasPrefix(diagnostic.message))
            #expect(message.hasSuffix(diagnostic.help ?? ""))
            let region = result["locations", "0", "physicalLocation", "region"]
            #expect(region?["startLine"]?.integer == diagnostic.place.line)
            #expect(region?["startColumn"]?.integer == diagnostic.place.column)
            #expect(
                region?["endColumn"]?.integer == diagnostic.place.column + diagnostic.length)
            let related = result["relatedLocations"]?.items ?? []
            #expect(
                related.map { $0["message", "text"]?.text } == diagnostic.related.map(\.message))
        }
    }

    @Test func hasRuleForEachKindThatIsFound() throws {
        let log = try sarif([
            try Fixtures.source("names-differ-in-case"), try Fixtures.source("unknown-values"),
        ])
        #expect(violations(in: log) == [])
        let rules = log["runs", "0", "tool", "driver", "rules"]?.items ?? []
        #expect(rules.map { $0["id"]?.text } == ["unknownValue", "namesDifferInCase"])
        #expect(
            rules.map { $0["defaultConfiguration", "level"]?.text } == ["error", "warning"])
        let page = try #require(explanation(of: "unknownValue"))
        #expect(rules.first?["shortDescription", "text"]?.text == page.summary)
        #expect(rules.first?["help", "markdown"]?.text?.hasSuffix(page.text) == true)
        #expect(rules.first?["help", "text"]?.text?.contains("`") == false)
    }

    @Test func unreadableFileFailsInvocation() throws {
        let report = CheckReport(
            documents: [],
            unreadable: [CheckReport.Unreadable(name: "a b.xml", message: "it is gone")])
        let log = try JSONNode(parsing: renderAsSARIF(report, version: "1.2.3"))
        #expect(violations(in: log) == [])
        let invocation = log["runs", "0", "invocations", "0"]
        #expect(invocation?["executionSuccessful"] == .boolean(false))
        let notification = invocation?["toolExecutionNotifications", "0"]
        #expect(notification?["message", "text"]?.text == "it is gone")
        let place = notification?["locations", "0", "physicalLocation", "artifactLocation", "uri"]
        #expect(place?.text == "a%20b.xml")
        #expect(
            try sarif([])["runs", "0", "invocations", "0", "executionSuccessful"] == .boolean(true))
    }

    @Test(arguments: [
        ("application.xml", "application.xml"), ("./a/b.xml", "a/b.xml"), ("../b.xml", "../b.xml"),
        ("a b%.xml", "a%20b%25.xml"), ("é.xml", "%C3%A9.xml"), ("c:d.xml", "c%3Ad.xml"),
        ("a#b?c.xml", "a%23b%3Fc.xml"), ("/tmp/a b.xml", "file:///tmp/a%20b.xml"),
        ("a\\b\n.xml", "a%5Cb%0A.xml"), ("standard input", "standard%20input"),
    ])
    func namesOfFilesBecomeReferences(name: String, uri: String) throws {
        let log = try sarif([SourceFile(name: name, bytes: Array("<a/>".utf8))])
        #expect(violations(in: log) == [])
        let artifact = log["runs", "0", "artifacts", "0", "location", "uri"]
        #expect(artifact?.text == uri)
    }

    // MARK: - The rules themselves

    /// Each of these edits makes a valid log invalid.
    @Test(
        arguments: [
            (["version"], nil), (["version"], .text("2.0.0")), (["runs"], .object([:])),
            (["$schema"], .text("schema.json")), (["colour"], .text("red")),
            (["runs", "0", "tool"], nil), (["runs", "0", "columnKind"], .text("bytes")),
            (["runs", "0", "tool", "driver", "name"], nil),
            (["runs", "0", "tool", "driver", "rules", "0", "id"], .text("other")),
            (["runs", "0", "tool", "driver", "rules", "0", "help", "text"], nil),
            (["runs", "0", "invocations", "0", "executionSuccessful"], .text("true")),
            (["runs", "0", "artifacts", "0", "location", "uri"], .text("a b.xml")),
            (["runs", "0", "artifacts", "0", "roles", "0"], .text("victim")),
            (["runs", "0", "results", "0", "message"], nil),
            (["runs", "0", "results", "0", "level"], .text("fatal")),
            (["runs", "0", "results", "0", "ruleIndex"], .integer(99)),
            (["runs", "0", "results", "0", "ruleIndex"], .text("0")),
            (place + ["artifactLocation", "uri"], .text("other.xml")),
            (place + ["artifactLocation", "uri"], .text("c:d.xml")),
            (place + ["artifactLocation", "index"], .integer(1)),
            (place + ["region", "startLine"], .integer(0)),
            (place + ["region", "endColumn"], .integer(1)),
        ] as [([String], JSONNode?)])
    func invalidLogsAreDetected(path: [String], value: JSONNode?) throws {
        let log = try sarif([try Fixtures.source("names-differ-in-case")])
        #expect(violations(in: log) == [])
        #expect(violations(in: log.setting(value, at: path)) != [])
    }

    private static let place = ["runs", "0", "results", "0", "locations", "0", "physicalLocation"]

    private func sarif(_ sources: [SourceFile]) throws -> JSONNode {
        let documents = sources.map {
            CheckReport.Document(source: $0, compilation: compile($0))
        }
        return try JSONNode(
            parsing: renderAsSARIF(CheckReport(documents: documents), version: "1.2.3"))
    }

    /// Violations of the schema and of the standard beyond it: indices point to what they name, and
    /// a region does not end before it starts.
    private func violations(in log: JSONNode) -> [String] {
        let run = log["runs", "0"]
        let rules = run?["tool", "driver", "rules"]?.items ?? []
        let artifacts = run?["artifacts"]?.items ?? []
        let results = run?["results"]?.items ?? []
        let ruleProblems = results.compactMap { result -> String? in
            let index = result["ruleIndex"]?.integer ?? -1
            let isRight =
                rules.indices.contains(index) && rules[index]["id"] == result["ruleId"]
            return isRight ? nil : "ruleIndex \(index) is not of \(result["ruleId"]?.text ?? "")"
        }
        let places = results.flatMap {
            ($0["locations"]?.items ?? []) + ($0["relatedLocations"]?.items ?? [])
        }
        return SchemaRule.log.violations(in: log) + ruleProblems
            + places.flatMap { problems(ofPlace: $0, among: artifacts) }
    }

    private func problems(ofPlace place: JSONNode, among artifacts: [JSONNode]) -> [String] {
        let location = place["physicalLocation", "artifactLocation"]
        let region = place["physicalLocation", "region"]
        let index = location?["index"]?.integer ?? -1
        let isArtifact =
            artifacts.indices.contains(index)
            && artifacts[index]["location", "uri"] == location?["uri"]
        let start = region?["startColumn"]?.integer ?? 1
        let isForward = (region?["endColumn"]?.integer ?? start) >= start
        return (isArtifact ? [] : ["artifact \(index) is another"])
            + (isForward ? [] : ["a region ends before it starts"])
    }
}
