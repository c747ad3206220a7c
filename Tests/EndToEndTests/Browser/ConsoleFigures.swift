import Foundation
import JSON
import Testing

/// How soon pages are usable with much in them. 'make bench-console' runs it and prints the times;
/// it is no test, since it measures the machine too.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(
        if: ProcessInfo.processInfo.environment["WAGGLE_CONSOLE_FIGURES"] != nil,
        "'make bench-console' measures"))
struct ConsoleFigures {
    private static let runs = 5

    @Test func pagesWithThousandModels() async throws {
        let site = try Site(definition: largeDefinition(models: 1000))
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            let body = JSONValue.object(["xml": .string(largeDefinition(models: 1000))]).text
            let written = try await server.admin(
                "PUT", "drafts/large", body, as: try await server.adminSession("ann"))
            #expect(written.status == 200, "\(written.text)")
            try await visit.person.press("large", in: "Drafts")
            try await visit.person.sees("✓ checked", in: "Draft")
            for page in BrowserTests.pages { try await measure(page, visit) }
        }
    }

    @Test func pagesWithManyRecords() async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        let rows = (1...100_000).map { "Film \($0),\(1 + $0 % 5)\n" }.joined()
        let imported = try await Tool.run(
            [
                "import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a",
                "--database", site.database,
            ], input: "title,score\n" + rows, in: site.folder)
        #expect(imported.exitCode == 0, "\(imported.errors)")
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server) { visit in
            for page in BrowserTests.environmentPages { try await measure(page, visit) }
        }
    }

    /// Prints the median and the longest of the times from the navigation to a page that can be
    /// used.
    private func measure(_ page: String, _ visit: ConsoleVisit) async throws {
        var times: [Double] = []
        for _ in 0..<Self.runs {
            try await visit.browser.open("/console/\(page)")
            let time = try await visit.browser.wait(
                for: "(globalThis.usable ??= isRead() ? performance.now() : null)")
            times.append(Double(time.text) ?? .infinity)
        }
        times.sort()
        let median = Int(times[times.count / 2].rounded())
        print("\(page.isEmpty ? "start" : page): \(median) ms, longest \(Int(times.last ?? 0)) ms")
    }
}

/// An application with models of two fields each.
func largeDefinition(models: Int) -> String {
    let all = (1...models).map { number in
        """
            <model name="model\(number)">
              <fields>
                <field name="title" type="TEXT" required="true">
                  <credentials>
                    <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" \
        updateAllowed="ALL"/>
                  </credentials>
                </field>
                <field name="score" type="INTEGER" defaultValue="1"/>
              </fields>
              <credentials>
                <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" \
        updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/>
              </credentials>
            </model>
        """
    }
    return """
        <application xmlns="http://schema.mobeelizer.com/application" application="large"
                     vendor="own" conflictMode="MANUAL">
          <devices><device name="mobile"/></devices>
          <groups><group name="users"/></groups>
          <roles><role group="users" device="mobile"/></roles>
          <models>
        \(all.joined(separator: "\n"))
          </models>
        </application>
        """
}
