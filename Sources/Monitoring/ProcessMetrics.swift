import Foundation

/// Measures of this process, as the system reports them.
package enum ProcessMetrics {
    package static let all = [cpu, memory, openFiles, maxFiles, start]

    static let cpu = MetricDeclaration(
        "process_cpu_seconds_total", .counter, "Processor time of this process, in seconds.")
    static let memory = MetricDeclaration(
        "process_resident_memory_bytes", .gauge, "Memory of this process, in bytes.")
    static let openFiles = MetricDeclaration(
        "process_open_fds", .gauge, "Open files and sockets of this process.")
    static let maxFiles = MetricDeclaration(
        "process_max_fds", .gauge, "The limit on open files and sockets.")
    static let start = MetricDeclaration(
        "process_start_time_seconds", .gauge,
        "When this process started, in seconds since 1970.")

    /// A source of these values. Values that the system does not give are left out.
    ///
    /// - Parameter started: When the process started, in seconds since 1970.
    package static func collector(started: Double) -> MetricsRegistry.Collector {
        { samples() + [MetricSample(start, started)] }
    }

    private static func samples() -> [MetricSample] {
        var samples: [MetricSample] = []
        if let seconds = processorSeconds() { samples.append(MetricSample(cpu, seconds)) }
        if let bytes = residentBytes() { samples.append(MetricSample(memory, bytes)) }
        // Both systems list the open files of the process that asks.
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") {
            samples.append(MetricSample(openFiles, files.count))
        }
        var limit = rlimit()
        #if os(Linux)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        if getrlimit(kind, &limit) == 0 {
            samples.append(MetricSample(maxFiles, Double(limit.rlim_cur)))
        }
        return samples
    }

    private static func processorSeconds() -> Double? {
        var usage = rusage()
        #if os(Linux)
            let who = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let who = RUSAGE_SELF
        #endif
        guard getrusage(who, &usage) == 0 else { return nil }
        return usage.ru_utime.seconds + usage.ru_stime.seconds
    }

    /// Nil if `/proc` does not exist.
    private static func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
