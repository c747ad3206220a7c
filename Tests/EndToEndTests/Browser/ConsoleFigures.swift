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
            try await visit.person.sees("to consider", in: "Draft")
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

    /// Prints the median and the best of the times from the navigation until a page is painted and
    /// can be used, and the work that the best one took.
    private func measure(_ page: String, _ visit: ConsoleVisit) async throws {
        var times: [(milliseconds: Double, work: String)] = []
        let browser = visit.browser
        try await browser.chrome("Performance.enable")
        let watch = try await browser.chrome(
            "Page.addScriptToEvaluateOnNewDocument", ["source": .string(usableScript)])
        for _ in 0..<Self.runs {
            let before = try await metrics(of: browser)
            try await browser.open("/console/\(page)")
            let time = try await browser.wait(for: "globalThis.usable")
            let work = try await work(in: browser, since: before)
            times.append((Double(time.text) ?? .infinity, work))
        }
        try await browser.chrome(
            "Page.removeScriptToEvaluateOnNewDocument",
            ["identifier": watch.member("identifier") ?? .null])
        times.sort { $0.milliseconds < $1.milliseconds }
        let median = Int(times[times.count / 2].milliseconds.rounded())
        let best = Int(times[0].milliseconds.rounded())
        print("\(page.isEmpty ? "start" : page): \(median) ms, best \(best) ms, \(times[0].work)")
    }

    private func work(
        in browser: Browser, since before: [String: Double]
    ) async throws -> String {
        let after = try await metrics(of: browser)
        func milliseconds(_ name: String) -> Int {
            let time = (after[name] ?? 0) - (before[name] ?? 0)
            return Int((1000 * max(0, time)).rounded())
        }
        let traffic = try await browser.script(
            """
            const all = performance.getEntriesByType('resource')
            const bytes = all.reduce((sum, each) => sum + each.transferSize, 0)
            const slowest = all.sort((one, other) => other.duration - one.duration)[0]
            return [all.filter((each) => each.transferSize > 0).length + ' requests',
              Math.round(bytes / 1000) + ' KB', document.querySelectorAll('*').length + ' nodes',
              'slowest ' + Math.round(slowest?.duration ?? 0) + ' ms '
                + (slowest?.name ?? '').split('/').slice(3).join('/').slice(0, 60)].join(', ')
            """)
        return "script \(milliseconds("ScriptDuration")), layout "
            + "\(milliseconds("LayoutDuration")), style \(milliseconds("RecalcStyleDuration")), "
            + "all \(milliseconds("TaskDuration")), \(traffic.string ?? "")"
    }

    /// Those of the page's process, in seconds.
    private func metrics(of browser: Browser) async throws -> [String: Double] {
        let answer = try await browser.chrome("Performance.getMetrics")
        return (answer.member("metrics")?.elements ?? []).reduce(into: [:]) { all, metric in
            all[metric.member("name")?.string ?? ""] = Double(metric.member("value")?.text ?? "")
        }
    }
}

/// Sets `usable` when the page is read and its next picture has been made.
private let usableScript = """
    {
      let isWaiting = false
      const look = () => {
        isWaiting = false
        if (!document.querySelector('#rail a') || document.querySelector('[aria-busy]')) return
        globalThis.usable ??= performance.now()
        watch.disconnect()
      }
      const watch = new MutationObserver(() => {
        if (isWaiting) return
        isWaiting = true
        requestAnimationFrame(() => setTimeout(look))
      })
      watch.observe(document, {
        subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] })
    }
    """

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
