package import FileExchange
package import SyncEngine

/// Copies an environment to another database, of the same kind or another.
///
/// The copy is of one snapshot of the source. It is made in key ranges, and a range that the target
/// has already is not written again: an interrupted copy resumes, even if the source has changed,
/// and a repeated copy has little to do. Until all rows are copied and verified, the copy has a
/// reserved name that no request can use.
package struct CopyRun: Sendable {
    /// A progress report.
    package enum Step: Hashable, Sendable {
        case copied(rows: Int)
        case copiedContents(files: Int)
        case verified(rows: Int)
    }

    let source: any StoreSnapshot
    let contents: any BlobStore
    let target: any CopyableStore
    let targetContents: any BlobStore
    /// The initial size of pages.
    let pageSize: PageSize
    let progress: @Sendable (Step) -> Void

    /// `rowsAtATime` is the maximum number of rows in a transaction; large rows make it fewer.
    package init(
        from source: any StoreSnapshot, contents: any BlobStore, to target: any CopyableStore,
        contents targetContents: any BlobStore, rowsAtATime: Int = 500,
        reporting progress: @escaping @Sendable (Step) -> Void
    ) {
        self.source = source
        self.contents = contents
        self.target = target
        self.targetContents = targetContents
        pageSize = PageSize(most: rowsAtATime)
        self.progress = progress
    }

    /// If this throws, the partial copy stays for the next run, and is not visible as an
    /// environment.
    package func run(_ request: CopyRequest) async throws(CopyError) -> CopyReport {
        let (origin, head) = try await origin(of: request)
        let staged = try await stage(head, for: request)
        var report = CopyReport(sequence: head.sequence)
        var sums: [EnvironmentTable: RowSum] = [:]
        for table in EnvironmentTable.allCases {
            sums[table] =
                request.excludes(table)
                ? try await empty(table, in: staged)
                : try await copy(table, from: origin, to: staged, &report)
        }
        try await copyContents(of: origin, &report)
        try await verify(staged, has: sums)
        guard request.publishes else { return report }
        if let epoch = request.epoch {
            try await writing { () async throws(StoreError) in
                try await target.beginEpoch(epoch, in: staged)
            }
        }
        try await publish(staged, as: request.name)
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

    /// Checks the name first, before copying anything.
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

/// The source and the target of a copy.
package struct CopyRequest: Hashable, Sendable {
    package var environment: String
    /// The name of the copy.
    package var name: String
    /// Whether sessions and device states are kept, so that devices continue with the copy. Without
    /// them users sign in again and devices start over, because their cursors may be ahead of the
    /// copy.
    package var keepsSessions = true
    /// The epoch that begins with the copy, a number that no epoch has had: cursors that clients
    /// get from the source afterwards are not those of the copy. Nil keeps that of the source.
    package var epoch: Int64?
    /// Whether the copy is published as an environment. Otherwise it waits for a later run, which
    /// then has less to do.
    package var publishes = true

    package init(environment: String, name: String) {
        self.environment = environment
        self.name = name
    }

    /// Not a valid name for an environment.
    var stagedName: String { "\(name) (being copied)" }

    /// Sessions belong to one environment, and devices have acknowledged outcomes of the original
    /// only.
    func excludes(_ table: EnvironmentTable) -> Bool {
        switch table {
        case .sessions: !keepsSessions || name != environment
        case .deviceProgress, .deviceFiles: !keepsSessions
        case .users, .devices, .records, .history, .conflicts, .outcomes, .uniqueValues,
            .ownershipChanges, .purgedRecords, .links, .names, .files, .pushTokens, .notifications,
            .refusals, .epochs, .erasures, .readPolicyChanges:
            false
        }
    }

    /// A new key invalidates all cursors.
    func adapted(_ head: EnvironmentHead) -> EnvironmentHead {
        var head = head
        if !keepsSessions { head.cursorKey = nil }
        return head
    }
}

/// The result of a copy.
package struct CopyReport: Hashable, Sendable {
    /// The sequence of the last change in the copy.
    package let sequence: Int64
    /// The rows of all tables.
    package var rows = 0
    /// The rows that the target did not have before.
    package var writtenRows = 0
    package var records = 0
    /// The number of distinct contents.
    package var files = 0
    package var writtenFiles = 0
    /// Guids of files whose contents are missing or damaged in the source.
    package var filesWithoutContents: [String] = []

    init(sequence: Int64) { self.sequence = sequence }
}

/// The reason for a failed copy. The partial copy stays for the next run.
package enum CopyError: Error, Hashable, Sendable {
    case environmentUnknown
    /// The target has an environment with that name.
    case nameTaken
    /// The target's rows differ from the source's after writing.
    case differs(EnvironmentTable)
    case source(StoreError)
    case target(StoreError)
}
