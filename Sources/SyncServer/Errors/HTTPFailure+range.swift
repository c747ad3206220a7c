import HTTPTypes

extension HTTPFailure {
    static func rangeUnsatisfiable(size: Int64) -> HTTPFailure {
        HTTPFailure(
            .rangeNotSatisfiable, "rangeUnsatisfiable", "the file has \(size) bytes",
            help: "ask for bytes that it has", details: ["size": "\(size)"]
        ).with(.contentRange, "bytes */\(size)")
    }
}
