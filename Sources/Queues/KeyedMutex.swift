/// A mutex for each key, with fair queuing.
package actor KeyedMutex {
    /// The waiting tasks for each locked key.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    package init() {}

    /// Call `unlock` afterwards.
    package func lock(_ key: String) async {
        guard waiting[key] != nil else {
            waiting[key] = []
            return
        }
        await withCheckedContinuation { waiting[key]?.append($0) }
    }

    package func isLocked(_ key: String) -> Bool { waiting[key] != nil }

    package func unlock(_ key: String) {
        if waiting[key]?.isEmpty ?? true {
            waiting[key] = nil
        } else {
            waiting[key]?.removeFirst().resume()
        }
    }
}
