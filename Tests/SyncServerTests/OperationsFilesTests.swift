import Foundation
import Monitoring
import SyncServer
import TestKit
import Testing

/// The files in `Operations`, and the page *Operating*, name what the server has.
@Suite struct OperationsFilesTests {
    private func text(_ path: String) throws -> String {
        String(decoding: try bytes(ofFile: path), as: UTF8.self)
    }

    private static let page = "Sources/Waggle/Documentation.docc/Operating.md"
    private static let series = Set(ServerMetric.all.flatMap(\.seriesNames))

    /// The metrics of this server that a text names.
    private func metrics(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:waggle|process)_[a-z_]+[a-z]/).map { String($0.0) })
    }

    @Test func everyMetricOfAlertsExists() throws {
        let named = metrics(in: try text("Operations/alerts.yml"))
        #expect(named.count > 8)
        #expect(named.subtracting(Self.series) == [])
    }

    /// `promtool test rules` runs the cases: see `make test-https`.
    @Test func everyAlertHasCaseThatFiresAndOneThatDoesNot() throws {
        let cases = try text("Tests/Operations/alerts.yml").split(separator: "\n  - name: ")
        for alert in try text("Operations/alerts.yml").matches(of: /- alert: (\w+)/) {
            for (kind, result) in [("fires", "exp_labels"), ("is quiet", "exp_alerts: []")] {
                let text = cases.first { $0.hasPrefix("\(alert.1) \(kind)\n") } ?? ""
                let isComplete = text.contains("alertname: \(alert.1)\n") && text.contains(result)
                #expect(isComplete, "\(alert.1) \(kind)")
            }
        }
    }

    @Test func everyMetricOfDashboardExists() throws {
        let bytes = Data(try bytes(ofFile: "Operations/dashboard.json"))
        let dashboard = try #require(
            try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let expressions = panels.flatMap { panel in
            (panel["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String }
        }
        #expect(panels.count > 10 && expressions.count >= panels.count)
        for expression in expressions {
            let named = metrics(in: expression)
            #expect(!named.isEmpty && named.isSubset(of: Self.series), "\(expression)")
        }
        let shown = metrics(in: expressions.joined(separator: "\n"))
        for metric in ServerMetric.all {
            let isShown = !shown.isDisjoint(with: metric.seriesNames)
            #expect(isShown, "the dashboard does not show '\(metric.name)'")
        }
    }

    @Test func everyMetricHasRow() throws {
        let page = try text(Self.page)
        for metric in ServerMetric.all {
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            let row = "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help) |"
            #expect(page.contains(row), "\(row)")
        }
    }

    /// A row of *What to monitor* ends with its alert.
    @Test func everyRowOfWhatToMonitorHasAlert() throws {
        let page = try text(Self.page)
        let section = try #require(page.split(separator: "\n## What to monitor").dropFirst().first)
        let rows = section.split(separator: "\n### ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| what ") }
        let named = rows.map { row in
            row.matches(of: /`(\w+)` \|$/).map { String($0.1) }.joined()
        }
        let alerts = try text("Operations/alerts.yml").matches(of: /- alert: (\w+)/)
            .map { String($0.1) }
        #expect(alerts.count > 10)
        #expect(named == alerts)
    }
}
