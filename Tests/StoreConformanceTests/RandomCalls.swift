import ChangeRules
import DefinitionModel
import SyncEngine
import TestKit
import UserAccounts

/// Random calls for few users, records and values, so that they interact.
struct RandomCalls {
    var random: SplitMix64
    /// The versions deployed to each environment.
    private var versions: [[DeployedDefinition]] = [[], []]
    private var deployments = 0

    private let logins = ["a", "b", "e\u{301}", "\u{E9}"]
    let guids = ["g", "h", "i", "j", "k"]
    private let changeIDs = ["1", "2", "K", "\u{212A}"]
    private let codes = ["A", "B", "C"]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// 0 or 1.
    mutating func environment() -> Int { random.number(in: 0...1) }

    /// Mostly short, sometimes more than an hour.
    mutating func milliseconds() -> Int64 {
        Int64(random.number(in: 0..<5) == 0 ? random.number(in: 0..<8_000_000) : 1000)
    }

    mutating func call(in environment: Int, at sequence: Int64) -> StoreCall {
        switch random.number(in: 0..<56) {
        case 0: .deploy(random.flip() ? version(for: environment, at: sequence) : nil)
        case 1: .versions
        case 2: .users
        case 3...5: .changeUser(login(), userChange())
        case 6...9: .accounts(accountCall())
        case 10...11: .session(token: token())
        case 12: .endSession(token: token())
        case 13...22: .commit(commit())
        case 23...31: .more(further())
        case 38...45: .files(fileCall(by: login(), and: login()))
        case 46...55: .notifications(notificationCall(by: login(), and: login()))
        default: .page(excerpt())
        }
    }

    private mutating func accountCall() -> AccountCall {
        let source = SignInSource(login: login(), origin: [token()])
        let device = random.one(of: ["phone", "tablet", "watch"]) ?? ""
        return switch random.number(in: 0..<10) {
        case 0...2: .failSignIn(source)
        case 3...4: .signInState(source)
        case 5: .hasSignedIn(DeviceKey(login: login(), deviceIdentifier: device))
        case 6:
            .forgetDevices(
                before: Instant(milliseconds: milliseconds()), limit: random.number(in: 1...2))
        default:
            .openSession(
                token: token(), source, device: device,
                hours: Int64(random.number(in: 0...3)), passwordHash: hash())
        }
    }

    private mutating func further() -> FurtherCall {
        switch random.number(in: 0..<9) {
        case 0...2: .history(random.one(of: guids) ?? "", limit: random.number(in: 1...3))
        case 3...5: conflicted()
        case 6: .sweep(before: revision() + 1, limit: random.number(in: 1...2))
        case 7: .cursorKey(token())
        default: .user(login())
        }
    }

    private mutating func conflicted() -> FurtherCall {
        .conflicted(
            model: random.one(of: ["Note", "Page", nil]) ?? nil,
            guids: random.flip() ? random.some(of: guids) : nil,
            after: random.flip()
                ? RecordKey(
                    model: random.flip() ? "Note" : "Page", guid: random.one(of: guids) ?? "")
                : nil,
            limit: random.number(in: 1...3))
    }

    private mutating func login() -> String { random.one(of: logins) ?? "" }
    private mutating func token() -> UInt8 { UInt8(random.number(in: 0..<4)) }
    private mutating func hash() -> String { random.number(in: 0..<4) == 0 ? "new" : "old" }

    private mutating func userChange() -> UserChange? {
        switch random.number(in: 0..<6) {
        case 0: return nil
        case 1: return .remove
        default:
            let user = User(
                login: login(), group: random.flip() ? "users" : "guests", mail: "",
                isAdmin: random.flip(), passwordHash: hash())
            return .write(user, endingSessions: random.number(in: 0..<3) == 0)
        }
    }
}

// MARK: - Versions

extension RandomCalls {
    /// The first version of an environment.
    mutating func firstVersion(of environment: Int) -> NewVersion {
        version(for: environment, at: 0, definition: .test())
    }

    private mutating func version(for environment: Int, at sequence: Int64) -> NewVersion {
        version(for: environment, at: sequence, definition: definition())
    }

    /// A refused version is kept too; all stores get the same.
    private mutating func version(
        for environment: Int, at sequence: Int64, definition: Definition
    ) -> NewVersion {
        let adaptation = Adaptation(
            to: definition, after: versions[environment], until: sequence)
        versions[environment].append(DeployedDefinition(definition, sequence: sequence))
        deployments += 1
        return .test(
            "version \(deployments)", deployedAt: Int64(deployments),
            instance: "instance \(environment)", adaptation: adaptation)
    }

    private mutating func definition() -> Definition {
        let unique = random.some(of: ["code", "number"])
        return switch random.number(in: 0..<3) {
        case 0: .test(unique: unique, others: ["text": []])
        case 1: .test("Page", before: ["Note"], unique: unique, others: ["title": ["text"]])
        default: .test("Note", before: ["Page"], unique: unique, others: ["text": ["title"]])
        }
    }
}

// MARK: - Transactions

extension RandomCalls {
    mutating func commit() -> Commit {
        var bases: [String: Int64] = [:]
        for guid in random.some(of: guids) { bases[guid] = revision() - 1 }
        var commit = Commit(
            device: DeviceKey(login: login(), deviceIdentifier: random.flip() ? "1" : "2"),
            changeIDs: random.some(of: changeIDs), guids: random.some(of: guids), bases: bases,
            wanted: Set(random.some(of: codes).map { value($0) }), files: fileNeed(),
            writes: random.number(in: 0..<8) == 0 ? nil : writes(),
            page: random.flip() ? excerpt() : nil)
        commit.created = Set(random.some(of: commit.guids))
        commit.isNew = commit.mayBeNew && random.flip()
        return commit
    }

    private mutating func revision() -> Int64 { Int64(random.number(in: 1...6)) }

    private func value(_ text: String) -> UniqueValue { .code(text) }

    private mutating func writes() -> WriteSet {
        var writes = WriteSet(records: random.some(of: guids).map { record($0) })
        writes.at = Instant(milliseconds: revision())
        for guid in random.some(of: guids) { writes.history.append(entry(guid)) }
        for guid in random.some(of: guids) where random.flip() {
            writes.closedConflicts.append(guid)
        }
        for guid in random.some(of: guids) where random.flip() {
            writes.openedConflicts.append(conflict(guid))
        }
        writes.acknowledged = random.some(of: changeIDs)
        writes.tracelessExpireAt = Instant(milliseconds: revision())
        for id in random.some(of: changeIDs) where random.number(in: 0..<4) == 0 {
            writes.outcomes.append(
                StoredOutcome(
                    changeID: id, text: "{\"n\":\(revision())}", isTraceless: random.flip()))
        }
        if random.number(in: 0..<4) == 0 { writes.takenValues = holdings() }
        if random.number(in: 0..<6) == 0 { writes.freedValues = holdings() }
        nameFiles(in: &writes)
        return writes
    }

    private mutating func holdings() -> [UniqueHolding] {
        random.some(of: codes).map {
            UniqueHolding(value: value($0), guid: random.flip() ? "g" : "h")
        }
    }

    private mutating func record(_ guid: String) -> StoredRecord {
        StoredRecord(
            guid: guid, model: random.flip() ? "Note" : "Page", owner: login(), group: "users",
            revision: revision(), isDeleted: random.number(in: 0..<4) == 0,
            isConflicted: random.number(in: 0..<3) == 0, fieldsText: fields())
    }

    private mutating func fields() -> String {
        let code = random.one(of: ["A", "B", "C", "D", "E", "F", "G", "H"]) ?? ""
        return switch random.number(in: 0..<40) {
        case 0: "{"
        case 1...9: #"{"code":"\#(code)","text":"x"}"#
        case 10...19: #"{"title":"y"}"#
        default: #"{"text":"\#(code)"}"#
        }
    }

    private mutating func entry(_ guid: String) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision(),
            kind: random.one(of: HistoryEntry.Kind.allCases) ?? .updated,
            changeID: random.one(of: changeIDs) ?? "", login: login(), deviceCategory: "mobile",
            deviceIdentifier: "phone", at: Instant(milliseconds: revision()),
            wasDeleted: random.flip(), fieldsText: fields())
    }

    private mutating func conflict(_ guid: String) -> StoredConflict {
        let revision = Int64(random.number(in: 1...60))
        let side = #"{"deleted":false,"fields":{"text":"s"}}"#
        return StoredConflict(
            guid: guid, revision: revision,
            text: #"{"base":\#(side),"baseRevision":1,"mine":\#(side),"revision":\#(revision),"#
                + #""theirs":\#(side)}"#)
    }

    private mutating func excerpt() -> Excerpt {
        Excerpt(
            after: Int64(random.number(in: 0..<20)), limit: random.number(in: 1...6),
            maxScanned: random.number(in: 1...8), maxBytes: random.number(in: 1...200),
            skipsDeleted: random.flip(), knownSequence: Int64(random.number(in: 0..<20)))
    }
}

extension Commit {
    /// Whether none of the changes is acknowledged, and all outcomes are of them.
    fileprivate var mayBeNew: Bool {
        let changes = Set(changeIDs.map { ByteKey($0) })
        guard let writes else { return true }
        return changes.isDisjoint(with: writes.acknowledged.map { ByteKey($0) })
            && changes.isSuperset(of: writes.outcomes.map { ByteKey($0.changeID) })
    }
}
