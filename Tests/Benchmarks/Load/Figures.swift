/// The result of a run.
struct Figures {
    var exchanges = 0
    /// The number of further exchanges that ended with an incorrect response.
    var refused = 0
    var statuses: [Int: Int] = [:]
    var latency = Histogram()
    var bytesSent = 0
    var bytesReceived = 0
    var seconds = 0.0
    var ownProcessorSeconds = 0.0
    var serverProcessorSeconds: Double?

    var json: String {
        let statuses = statuses.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        let buckets = latency.buckets.map { "[\($0.upTo), \($0.count)]" }
        let mean = latency.count == 0 ? 0 : Double(latency.total) / Double(latency.count)
        let members = [
            "\"exchanges\": \(exchanges)",
            "\"refused\": \(refused)",
            "\"requests\": \(self.statuses.values.reduce(0, +))",
            "\"seconds\": \(seconds)",
            "\"bytesSent\": \(bytesSent)",
            "\"bytesReceived\": \(bytesReceived)",
            "\"statuses\": {\(statuses.joined(separator: ", "))}",
            "\"ownProcessorSeconds\": \(ownProcessorSeconds)",
            "\"serverProcessorSeconds\": \(serverProcessorSeconds.map { "\($0)" } ?? "null")",
            "\"latency\": {\"unit\": \"microseconds\", \"count\": \(latency.count), "
                + "\"mean\": \(mean), \"max\": \(latency.max), "
                + "\"buckets\": [\(buckets.joined(separator: ", "))]}",
        ]
        return "{\(members.joined(separator: ", "))}"
    }
}
