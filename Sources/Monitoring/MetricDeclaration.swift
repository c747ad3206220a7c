/// A metric as it is declared: its name, its kind, and what it tells.
package struct MetricDeclaration: Hashable, Sendable {
    /// The kinds of the text format.
    package enum Kind: String, Hashable, Sendable {
        case counter, gauge, histogram
    }

    /// In Prometheus' spelling; counters end in `_total`, and units are part of the name.
    package let name: String
    package let kind: Kind
    /// One sentence on one line.
    package let help: String
    /// The names of its labels, in the order in which they are written.
    package let labels: [String]

    package init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// The names of its series: a histogram has three.
    package var seriesNames: [String] {
        switch kind {
        case .counter, .gauge: [name]
        case .histogram: ["_bucket", "_sum", "_count"].map { name + $0 }
        }
    }
}

/// A value of a metric at one moment.
package struct MetricSample: Hashable, Sendable {
    package let metric: MetricDeclaration
    /// The value of each label of the declaration, in its order.
    package let labels: [String]
    package let value: Double

    package init(_ metric: MetricDeclaration, labels: [String] = [], _ value: some BinaryInteger) {
        self.init(metric, labels: labels, Double(value))
    }

    package init(_ metric: MetricDeclaration, labels: [String] = [], _ value: Double) {
        self.metric = metric
        self.labels = labels
        self.value = value
    }
}
