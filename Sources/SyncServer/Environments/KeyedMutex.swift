/// Lets one task at a time pass for each key. The others wait in the order in which they came.
actor KeyedMutex {
    /// By the keys that are locked.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// To be followed by `unlock`.
    func lock(_ key: String) async {
        guard waiting[key] != nil else {
            waiting[key] = []
            return
        }
        await withCheckedContinuation { waiting[key]?.append($0) }
    }

    func unlock(_ key: String) {
        if waiting[key]?.isEmpty ?? true {
            waiting[key] = nil
        } else {
            waiting[key]?.removeFirst().resume()
        }
    }
}
