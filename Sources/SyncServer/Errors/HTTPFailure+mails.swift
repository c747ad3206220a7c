import HTTPTypes

extension HTTPFailure {
    package static func mailUnset() -> HTTPFailure {
        HTTPFailure(
            .conflict, "mailUnset", "this server sends no mails",
            help: "the operator makes codes without mails, or sets mailServer")
    }

    package static func mailQueueFull() -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "mailQueueFull", "too many mails are waiting",
            help: "nothing was made; try again in a minute"
        ).with(.retryAfter, "60")
    }
}
