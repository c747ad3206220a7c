import HTTPTypes

extension HTTPFailure {
    /// More bodies and responses than fit into the memory budget.
    init(_ shortage: MemoryShortage) {
        self =
            switch shortage {
            case .ofOwner: .tooManyOwnBytes()
            case .ofServer: .tooManyBytes()
            }
    }

    private static func tooManyOwnBytes() -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooManyBytes",
            "your requests and their responses need too much memory at a time",
            help: "send fewer at a time, and read the responses; try again in a second"
        ).with(.retryAfter, "1")
    }

    private static func tooManyBytes() -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooManyBytes",
            "the requests and responses of all users need too much memory",
            help: "try again in a second"
        ).with(.retryAfter, "1")
    }
}
