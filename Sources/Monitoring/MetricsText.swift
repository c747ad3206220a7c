/// Writes metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    /// Writes the help and the kind, before the values of the metric.
    mutating func begin(_ metric: MetricDeclaration) {
        text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    mutating func add(_ metric: MetricDeclaration, _ labels: [String], _ value: Double) {
        write(metric.name, pairs(metric, labels), value)
    }

    mutating func add(_ metric: MetricDeclaration, _ labels: [String], _ durations: DurationCounts)
    {
        let pairs = pairs(metric, labels)
        for (bound, count) in zip(durations.bounds, durations.cumulative) {
            write("\(metric.name)_bucket", pairs + [("le", number(bound))], Double(count))
        }
        write("\(metric.name)_bucket", pairs + [("le", "+Inf")], Double(durations.count))
        write("\(metric.name)_sum", pairs, durations.seconds)
        write("\(metric.name)_count", pairs, Double(durations.count))
    }

    private mutating func write(_ name: String, _ pairs: [(String, String)], _ value: Double) {
        let labels = pairs.map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }
        text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
        text += " \(number(value))\n"
    }

    private func pairs(
        _ metric: MetricDeclaration, _ labels: [String]
    ) -> [(String, String)] {
        Array(zip(metric.labels, labels))
    }
}

/// Whole numbers have no fraction.
private func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return "\(whole)" }
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return "\(value)"
}

/// A line break would end the line, and a quote the value.
private func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\n": escaped += "\\n"
        case "\"" where quotes: escaped += "\\\""
        case _: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
