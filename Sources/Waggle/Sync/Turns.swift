/// Lets one at a time pass for each name, such as one sync; the others wait in the order in which
/// they came.
actor Turns {
    /// By the names that are taken.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func take(_ name: String) async {
        guard waiting[name] != nil else {
            waiting[name] = []
            return
        }
        await withCheckedContinuation { waiting[name]?.append($0) }
    }

    func pass(_ name: String) {
        if waiting[name]?.isEmpty ?? true {
            waiting[name] = nil
        } else {
            waiting[name]?.removeFirst().resume()
        }
    }
}
