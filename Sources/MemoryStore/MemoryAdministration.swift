import Administration
import SyncEngine

/// The data that belongs to the database as a whole.
struct MemoryAdministration: Sendable {
    var catalog: [MemoryCatalogVersion] = []
    var operators: [Operator] = []
    /// The expiry of each token for the first operator, by its hash.
    var setups: [[UInt8]: Instant] = [:]
    var sessions: [OperatorSession] = []
    var tokens: [NumberedToken] = []
    var lastToken: Int64 = 0
    var activities: [LoggedActivity] = []
    var lastActivity: Int64 = 0
    var drafts: [WrittenDraft] = []

    /// Adds a version unless it is there. Returns its number.
    @discardableResult
    mutating func add(_ version: EnvironmentVersion) -> Int64 {
        let place = catalog.firstIndex {
            $0.version.fingerprint == version.fingerprint && $0.version.source == version.source
        }
        guard let place else {
            catalog.append(MemoryCatalogVersion(version: version))
            return Int64(catalog.count)
        }
        if catalog[place].version.application == nil {
            catalog[place].application = catalog[place].application ?? version.application
        }
        return Int64(place) + 1
    }

    func version(_ number: Int64) -> CatalogVersion? {
        guard number >= 1, number <= catalog.count else { return nil }
        let entry = catalog[Int(number) - 1]
        return CatalogVersion(
            number: number, application: entry.application, digest: entry.version.digest,
            fingerprint: entry.version.fingerprint, tag: entry.tag, note: entry.note,
            author: entry.version.author, addedAt: entry.version.deployedAt,
            size: entry.version.source.count)
    }

    mutating func carryOut(_ change: OperatorChange) {
        switch change {
        case .remove(let name):
            operators.removeAll { $0.name == name }
            sessions.removeAll { $0.name == name }
            tokens.removeAll { $0.token.author == name }
        case .write(let person, let endingSessions, let revokingTokens):
            setups = [:]
            operators.removeAll { $0.name == person.name }
            operators.append(person)
            // Names are ASCII.
            operators.sort { $0.name < $1.name }
            if endingSessions { sessions.removeAll { $0.name == person.name } }
            if revokingTokens { tokens.removeAll { $0.token.author == person.name } }
        }
    }
}

/// A version with its labels.
struct MemoryCatalogVersion: Sendable {
    let version: EnvironmentVersion
    var application: ApplicationName?
    var tag = ""
    var note = ""

    init(version: EnvironmentVersion) {
        self.version = version
        application = version.application
    }
}
