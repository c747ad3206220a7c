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
    /// A page, what was in it, and how soon it could be used.
    struct Figure {
        let page: String
        let load: String
        /// In milliseconds, from the navigation until the page is painted and can be used.
        let median: Int
        let best: Int
        /// That of the best time.
        let work: String
    }

    private static let runs = 5
    private static let mostMilliseconds = 200

    /// One table of all pages.
    @Test func pagesAreUsableSoon() async throws {
        let figures = try await withThousandModels() + withManyRecords()
        print("| page | loaded with | ms | best ms | work of the best |")
        print("|---|---|---:|---:|---|")
        for figure in figures {
            print(
                "| \(figure.page) | \(figure.load) | \(figure.median) | \(figure.best) "
                    + "| \(figure.work) |")
        }
        let slow = figures.filter { $0.median > Self.mostMilliseconds }.map(\.page)
        print(
            "| \(slow.count) of \(figures.count) pages took more than \(Self.mostMilliseconds) ms "
                + "| \(slow.joined(separator: ", ")) | | | |")
    }

    func measure(_ page: String, with load: String, _ visit: ConsoleVisit) async throws -> Figure {
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
        return Figure(
            page: page.isEmpty ? "start" : page, load: load,
            median: Int(times[times.count / 2].milliseconds.rounded()),
            best: Int(times[0].milliseconds.rounded()), work: times[0].work)
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
