package import SyncEngine

/// Copies an environment from one database to another, of the same kind or not.
///
/// What is to be copied is one moment of the source. It goes over in ranges of keys, and a range
/// that is there already is left as it is: a copy that was cut off goes on where it was, also when
/// the source has changed since, and one that is begun again has little to do. Until everything is
/// there and has been read back, the environment has a name that nobody can ask for.
package struct CopyRun: Sendable {
    /// What was done so far, for whoever watches.
    package enum Step: Hashable, Sendable {
        case copied(rows: Int)
        case copiedContents(files: Int)
        case verified(rows: Int)
    }

    let source: any StoreSnapshot
    let contents: any Vault
    let target: any CopyableStore
    let targetContents: any Vault
    /// The size of pages to begin with.
    let pageSize: PageSize
    let tell: @Sendable (Step) -> Void

    /// In one transaction there are so many rows at most, and fewer where they are large.
    package init(
        from source: any StoreSnapshot, contents: any Vault, to target: any CopyableStore,
        contents targetContents: any Vault, rowsAtATime: Int = 500,
        telling tell: @escaping @Sendable (Step) -> Void
    ) {
        self.source = source
        self.contents = contents
        self.target = target
        self.targetContents = targetContents
        pageSize = PageSize(most: rowsAtATime)
        self.tell = tell
    }

    /// When it throws, what was copied so far waits for the next one, and is no environment yet.
    package func run(_ request: CopyRequest) async throws(CopyError) -> CopyReport {
        let (origin, head) = try await origin(of: request)
        let staged = try await stage(head, for: request)
        var report = CopyReport(sequence: head.sequence)
        var sums: [EnvironmentTable: RowSum] = [:]
        for table in EnvironmentTable.allCases {
            sums[table] =
                request.leavesOut(table)
                ? try await empty(table, in: staged)
                : try await copy(table, from: origin, to: staged, &report)
        }
        try await copyContents(of: origin, &report)
        try await verify(staged, has: sums)
        if request.publishes { try await publish(staged, as: request.name) }
        return report
    }

    private func origin(
        of request: CopyRequest
    ) async throws(CopyError) -> (EnvironmentID, EnvironmentHead) {
        let found = try await reading { () async throws(StoreError) in
            try await source.head(of: request.environment)
        }
        guard let found else { throw .environmentUnknown }
        return (found.id, request.adapted(found.head))
    }

    /// Looks for the name first: there is no need to copy all for nothing.
    private func stage(
        _ head: EnvironmentHead, for request: CopyRequest
    ) async throws(CopyError) -> EnvironmentID {
        let present = try await target.withSnapshot(failingAs: CopyError.target) {
            snapshot throws(CopyError) in
            try await writing { () async throws(StoreError) in
                try await snapshot.head(of: request.name)
            }
        }
        guard present == nil else { throw .nameTaken }
        return try await writing { () async throws(StoreError) in
            try await target.stage(head, as: request.stagedName)
        }
    }

    private func publish(
        _ staged: EnvironmentID, as name: String
    ) async throws(CopyError) {
        let isDone = try await writing { () async throws(StoreError) in
            try await target.rename(staged, to: name)
        }
        guard isDone else { throw .nameTaken }
    }
}

/// What is to be copied, and what it is to be.
package struct CopyRequest: Hashable, Sendable {
    package var environment: String
    /// Of the copy.
    package var name: String
    /// Whether devices go on with the copy as if nothing had happened; under another name their
    /// users sign in again. Otherwise they do, and devices begin anew: what they know may be later
    /// than the copy.
    package var keepsSessions = true
    /// Whether it becomes an environment. Otherwise it waits for a later copy, which has less to do
    /// then.
    package var publishes = true

    package init(environment: String, name: String) {
        self.environment = environment
        self.name = name
    }

    /// No environment can be called so.
    var stagedName: String { "\(name) (being copied)" }

    /// A session is one of one environment, and what a device has confirmed it has confirmed to an
    /// environment that went on.
    func leavesOut(_ table: EnvironmentTable) -> Bool {
        switch table {
        case .sessions: !keepsSessions || name != environment
        case .deviceProgress: !keepsSessions
        case .users, .records, .history, .conflicts, .outcomes, .uniqueValues, .moves, .swept,
            .links, .files, .pushTokens, .notifications:
            false
        }
    }

    /// With a new key no cursor that was given before can be read.
    func adapted(_ head: EnvironmentHead) -> EnvironmentHead {
        var head = head
        if !keepsSessions { head.cursorKey = nil }
        return head
    }
}

/// What a copy came to.
package struct CopyReport: Hashable, Sendable {
    /// The number of the last change in it.
    package let sequence: Int64
    /// In all of its tables.
    package var rows = 0
    /// Those of them that were not there before.
    package var writtenRows = 0
    package var records = 0
    /// Contents, each counted once.
    package var files = 0
    package var writtenFiles = 0
    /// Guids of files whose contents the source does not have any more, or has damaged.
    package var filesWithoutContents: [String] = []

    init(sequence: Int64) { self.sequence = sequence }
}

/// Why there is no copy; what was copied so far is left for the next one.
package enum CopyError: Error, Hashable, Sendable {
    case environmentUnknown
    /// There is one of that name where it was to be copied to.
    case nameTaken
    /// What was read back is not what was written.
    case differs(EnvironmentTable)
    case source(StoreError)
    case target(StoreError)
}
