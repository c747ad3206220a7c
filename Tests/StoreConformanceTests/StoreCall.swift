import FileExchange
import Notifications
import SyncEngine
import TestKit
import Testing
import UserAccounts

/// A call of a store as a value, to be repeated on every store.
enum StoreCall: Sendable {
    case deploy(NewVersion?)
    case versions
    case users
    case changeUser(String, UserChange?)
    case accounts(AccountCall)
    case session(token: UInt8)
    case endSession(token: UInt8)
    case commit(Commit)
    case page(Excerpt)
    case more(FurtherCall)
    case files(FileCall)
    case notifications(NotificationCall)
}

/// The reads and writes of a transaction.
struct Commit: Sendable {
    let device: DeviceKey
    let changeIDs: [String]
    let guids: [String]
    var bases: [String: Int64]
    let wanted: Set<UniqueValue>
    let files: FileNeed
    /// Nil for a decision that throws.
    let writes: WriteSet?
    /// Records that the call expects to be absent.
    var created: Set<String> = []
    /// Whether it expects its changes to be new.
    var isNew = false
    /// The page to read after the writes.
    var page: Excerpt?
}

struct Excerpt: Sendable {
    let after: Int64
    let limit: Int
    let maxScanned: Int
    let maxBytes: Int
    let skipsDeleted: Bool
    let knownSequence: Int64
}

/// The answer of a store, without ids of environments and deployments, and without error messages,
/// which differ between stores.
enum StoreAnswer: Equatable, Sendable {
    case deployed([String], renamed: Int)
    case notDeployed([RepeatedValues])
    case left
    case versions([StoredVersion])
    case users([User])
    case done
    case signInState(SignInState)
    case opened(Bool)
    case session(OpenSession?)
    case facts(Facts)
    case page(Page)
    case history(StoredRecord?, [OwnershipChange], [[HistoryEntry]])
    case conflicted(ConflictedPage)
    case purged(SweepResult)
    case key([UInt8])
    case user(User?)
    case file(KnownFile?, fingerprint: String)
    case fileState(FileState)
    case sweptFiles(Int)
    case held([String])
    case kept(Bool)
    case pushTokens([HeldPushToken])
    case counts([String: Int])
    case admission(NotificationAdmission)
    case number(Int64)
    case notifications(NotificationPage)
    case claimed(NotificationClaim)
    case failed
}

private struct Left: Error {}

extension StoreCall {
    /// Makes the call. A thrown error is an answer too.
    func answer(
        of store: any WholeStore, in environment: EnvironmentID, named name: String,
        at now: Instant
    ) async -> StoreAnswer {
        do {
            return try await answerOrThrow(of: store, in: environment, named: name, at: now)
        } catch {
            return .failed
        }
    }

    private func answerOrThrow(
        of store: any WholeStore, in environment: EnvironmentID, named name: String,
        at now: Instant
    ) async throws -> StoreAnswer {
        switch self {
        case .deploy(let version): try await deploy(version, to: name, of: store)
        case .versions: .versions(try await store.versions(of: environment).renumbered)
        case .users: .users(try await store.users(in: environment))
        case .changeUser(let login, let change):
            try await store.changeUser(login, in: environment) { _ in
                change.map { .success($0) } ?? .failure(Left())
            } == nil ? .done : .left
        case .accounts(let call): try await call.answer(of: store, in: environment, at: now)
        case .session(let token):
            .session(
                try await store.session(tokenHash: [token], in: environment, at: now)
                    .map(\.withoutEnvironment))
        case .endSession(let token):
            try await ended(token, of: store)
        case .commit(let commit): try await carryOut(commit, of: store, in: environment)
        case .page(let excerpt): .page(try await store.page(excerpt.request(in: environment)))
        case .more(let call): try await call.answer(of: store, in: environment)
        case .files(let call): try await call.answer(of: store, in: environment)
        case .notifications(let call): try await call.answer(of: store, in: environment, at: now)
        }
    }

    private func ended(_ token: UInt8, of store: any WholeStore) async throws -> StoreAnswer {
        try await store.endSession(tokenHash: [token])
        return .done
    }

    private func deploy(
        _ version: NewVersion?, to name: String, of store: any Store
    ) async throws -> StoreAnswer {
        let result = try await store.deploy(to: name) { _ in
            version.map { .success($0) } ?? .failure(.overtaken)
        }
        switch result {
        case .success(let deployed):
            let state = deployed.state
            return .deployed(
                [state.name, state.instance, "\(state.sequence)", state.digest, state.fingerprint],
                renamed: deployed.renamedRecords)
        case .failure(.valuesNotUnique(let repeated)): return .notDeployed(repeated)
        case .failure: return .left
        }
    }

    private func carryOut(
        _ commit: Commit, of store: any Store, in environment: EnvironmentID
    ) async throws -> StoreAnswer {
        var need = ReadSet(
            environment: environment, device: commit.device, changeIDs: commit.changeIDs,
            guids: commit.guids, baseRevisions: commit.bases, files: commit.files)
        (need.createdGuids, need.areChangesNew) = (commit.created, commit.isNew)
        let request = commit.page.map { $0.request(in: environment) }
        let committed = try await store.commit(need, reading: request) { _ in
            commit.wanted
        } deciding: { facts throws(StoreError) -> (WriteSet, StoreAnswer) in
            guard let writes = commit.writes else { throw .unreadable("no") }
            return (writes.ofRecords(knownBy: facts), .facts(facts))
        }
        if let request, let page = committed.page {
            #expect(try await page == store.page(request))
        }
        return committed.result
    }
}

extension Excerpt {
    fileprivate func request(in environment: EnvironmentID) -> PageRequest {
        PageRequest(
            environment: environment, afterSequence: after, limit: limit, maxScanned: maxScanned,
            maxBytes: maxBytes, skipsDeleted: skipsDeleted, knownSequence: knownSequence)
    }
}

extension WriteSet {
    /// Without links and history of unknown records.
    func ofRecords(knownBy facts: Facts) -> WriteSet {
        let known = Set(facts.records.keys).union(records.map(\.guid))
        var writes = self
        writes.history.removeAll { !known.contains($0.guid) }
        writes.links.removeAll { !known.contains($0.source) }
        writes.formerLinks.removeAll { !known.contains($0.source) }
        writes.endedLinks.removeAll { !known.contains($0.source) }
        return writes
    }
}

extension OpenSession {
    fileprivate var withoutEnvironment: OpenSession {
        OpenSession(
            session: Session(
                tokenHash: session.tokenHash, environment: EnvironmentID(number: 0),
                login: session.login, deviceCategory: session.deviceCategory,
                deviceIdentifier: session.deviceIdentifier, expiresAt: session.expiresAt),
            group: group, isAdmin: isAdmin,
            moment: EnvironmentMoment(
                deployment: 0, sequence: moment.sequence, purgeHorizon: moment.purgeHorizon),
            fingerprint: fingerprint)
    }
}

extension [StoredVersion] {
    /// Counted from one: each database has its own numbers.
    fileprivate var renumbered: [StoredVersion] {
        enumerated().map { index, version in
            StoredVersion(
                source: version.source, sequence: version.sequence, number: Int64(index + 1),
                fill: version.fill, followsBack: version.followsBack)
        }
    }
}
