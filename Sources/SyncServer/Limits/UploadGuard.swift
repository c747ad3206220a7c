import NIOConcurrencyHelpers

/// Limits concurrent uploads: each keeps a file and a connection open for as long as it takes.
package final class UploadGuard: Sendable {
    static let maxOfOneUser = 8

    private let max: Int
    private let running = NIOLockedValueBox<[UserKey: Int]>([:])

    init(max: Int) {
        self.max = max
    }

    /// The uploads that are running.
    var count: Int { running.withLockedValue { $0.values.reduce(0, +) } }

    /// Throws `tooManyUploads` if a limit is reached. Call `leave` afterwards.
    package func enter(_ login: String, in environment: ServedEnvironment) throws {
        let user = UserKey(environment: environment.name, login: login)
        let (ofAll, ofUser) = running.withLockedValue { running in
            let ofAll = running.values.reduce(0, +)
            let ofUser = running[user] ?? 0
            if ofAll < max && ofUser < Self.maxOfOneUser { running[user] = ofUser + 1 }
            return (ofAll, ofUser)
        }
        guard ofUser < Self.maxOfOneUser else {
            throw HTTPFailure.tooManyOwnUploads(max: Self.maxOfOneUser)
        }
        guard ofAll < max else { throw HTTPFailure.tooManyUploads(max: max) }
    }

    package func leave(_ login: String, in environment: ServedEnvironment) {
        let user = UserKey(environment: environment.name, login: login)
        running.withLockedValue { running in
            let others = (running[user] ?? 1) - 1
            running[user] = others == 0 ? nil : others
        }
    }
}
