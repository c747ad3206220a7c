/// A mutex for each name. Tasks that wait for the same name get it in the order of their calls.
///
/// `KeyedMutex` of the server does the same. Its module needs iOS 18 for `Atomic`, and apps do
/// without it.
actor AsyncMutex {
    /// The waiting tasks by the names that are locked.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func lock(_ name: String) async {
        guard waiting[name] != nil else {
            waiting[name] = []
            return
        }
        await withCheckedContinuation { waiting[name]?.append($0) }
    }

    func unlock(_ name: String) {
        if waiting[name]?.isEmpty ?? true {
            waiting[name] = nil
        } else {
            waiting[name]?.removeFirst().resume()
        }
    }
}
