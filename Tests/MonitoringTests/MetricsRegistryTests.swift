import CoreMetrics
import Monitoring
import Testing

/// Metrics of three kinds, and the text that they become.
@Suite struct MetricsRegistryTests {
    private static let calls = MetricDeclaration(
        "calls_total", .counter, "Calls, by\nname.", labels: ["name", "kind"])
    private static let level = MetricDeclaration("level", .gauge, "The \"level\".")
    private static let seconds = MetricDeclaration("call_seconds", .histogram, "Times.")

    private let registry = MetricsRegistry([Self.calls, Self.level, Self.seconds])

    private func counter(_ name: String, _ kind: String) -> Counter {
        Counter(
            label: "calls_total", dimensions: [("name", name), ("kind", kind)], factory: registry)
    }

    @Test func nothingRecordedIsNoText() async {
        #expect(await registry.text() == "")
    }

    @Test func countersAddUpByLabels() async {
        counter("b", "x").increment(by: 2)
        counter("a", "x").increment()
        counter("b", "x").increment()
        let text = await registry.text()
        #expect(
            text == """
                # HELP calls_total Calls, by\\nname.
                # TYPE calls_total counter
                calls_total{name="a",kind="x"} 1
                calls_total{name="b",kind="x"} 3

                """)
    }

    @Test func valuesOfLabelsAreEscaped() async {
        counter("a\"b\\c\nd", "x").increment()
        let text = await registry.text()
        #expect(text.hasSuffix(#"calls_total{name="a\"b\\c\nd",kind="x"} 1"# + "\n"))
    }

    @Test func gaugesRiseAndFall() async {
        let level = Meter(label: "level", dimensions: [], factory: registry)
        level.set(3)
        level.increment(by: 2.5)
        level.decrement()
        let text = await registry.text()
        #expect(text.hasSuffix("# HELP level The \"level\".\n# TYPE level gauge\nlevel 4.5\n"))
    }

    @Test func durationsAreCountedUpToEachBound() async {
        let times = CoreMetrics.Timer(label: "call_seconds", dimensions: [], factory: registry)
        for nanoseconds: Int64 in [400_000, 1_000_000, 2_000_000_000, 100_000_000_000] {
            times.recordNanoseconds(nanoseconds)
        }
        let lines = await registry.text().split(separator: "\n")
        for line in [
            #"call_seconds_bucket{le="0.0005"} 1"#, #"call_seconds_bucket{le="0.001"} 2"#,
            #"call_seconds_bucket{le="1"} 2"#, #"call_seconds_bucket{le="2.5"} 3"#,
            #"call_seconds_bucket{le="30"} 3"#, #"call_seconds_bucket{le="+Inf"} 4"#,
            "call_seconds_sum 102.0014", "call_seconds_count 4",
        ] {
            #expect(lines.contains { $0 == line }, "\(line) in \(lines)")
        }
    }

    @Test func collectedValuesAreMeasuredEachTime() async {
        let calls = Counted()
        registry.add { [MetricSample(Self.level, await calls.next())] }
        #expect(await registry.text().hasSuffix("level 1\n"))
        #expect(await registry.text().hasSuffix("level 2\n"))
    }

    /// Another library may record metrics, with labels without bounds.
    @Test func undeclaredMetricsAreIgnored() async {
        Counter(label: "others_total", dimensions: [], factory: registry).increment()
        Counter(label: "calls_total", dimensions: [("path", "/x")], factory: registry).increment()
        Meter(label: "calls_total", dimensions: [], factory: registry).set(1)
        #expect(await registry.text() == "")
    }

    @Test func threadsLoseNothing() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [self] in
                    for _ in 0..<1000 { counter("a", "x").increment() }
                }
            }
        }
        #expect(await registry.text().hasSuffix("} 8000\n"))
    }

    @Test func processIsMeasured() async throws {
        let registry = MetricsRegistry(ProcessMetrics.all)
        registry.add(ProcessMetrics.collector(started: 1000))
        let text = await registry.text()
        #expect(text.contains("\nprocess_start_time_seconds 1000\n"))
        for name in ["process_cpu_seconds_total", "process_open_fds", "process_max_fds"] {
            #expect(text.contains("\n\(name) "), "\(text)")
        }
    }
}

private actor Counted {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
