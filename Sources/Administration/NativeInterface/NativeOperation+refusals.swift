extension NativeOperation {
    /// The statuses with which the operation may refuse a request. There may be no such
    /// environment, whatever is asked of it.
    var refusals: Set<RefusalStatus> {
        var statuses = RefusalStatus.ofEveryRoute.union([.notFound])
        if !isOpen { statuses.formUnion([.unauthorized, .forbidden]) }
        if body != nil || sendsContents { statuses.insert(.contentTooLarge) }
        if case .bytes = answer { statuses.insert(.rangeNotSatisfiable) }
        let name = String(id.prefix { $0 != "." })
        return statuses.union(Self.ownRefusals[name] ?? [])
    }

    /// The further statuses of single operations, by the identifier without a model.
    private static let ownRefusals: [String: Set<RefusalStatus>] = [
        "signIn": [.unauthorized, .forbidden, .conflict, .tooManyRequests],
        "signUp": [.forbidden, .conflict], "resetPassword": [.forbidden],
        "requestReset": [.conflict, .tooManyRequests], "changePassword": [.tooManyRequests],
        "finishSignIn": [.tooManyRequests], "addUser": [.conflict],
        "sync": [.conflict, .tooManyRequests], "resolve": [.conflict, .tooManyRequests],
        "find": [.uriTooLong, .unprocessableContent], "record": [.uriTooLong],
        "upload": [.conflict, .lengthRequired, .unprocessableContent, .tooManyRequests],
        "registerPushToken": [.conflict], "send": [.conflict, .tooManyRequests],
        "live": [.conflict, .tooManyRequests],
    ]
}
