import DefinitionModel
package import SyncEngine
package import UserAccounts

extension PostgresDatabase {
    package func environment(
        named name: String
    ) async throws(StoreError) -> EnvironmentState? {
        try await ask { try environmentState(named: name, $0) }
    }

    package func environments() async throws(StoreError) -> [EnvironmentDeployment] {
        try await ask { transaction in
            try transaction.rows("SELECT name, version FROM environments ORDER BY id").map {
                var row = $0
                return EnvironmentDeployment(
                    name: try row.text(), deployment: try row.number(as: .sequence))
            }
        }
    }

    package func versions(
        of environment: EnvironmentID
    ) async throws(StoreError) -> [StoredVersion] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT source, deployed_after, id, fill, follows_back FROM versions
                WHERE environment = $1 ORDER BY id
                """,
                [.integer(environment.number)]
            ).map {
                StoredVersion(
                    source: try $0.bytes(), sequence: try $0.optionalInt64(),
                    number: try $0.number(as: .sequence), fill: try $0.fill(),
                    followsBack: try $0.flag())
            }
        }
    }

    package func key(
        _ key: EnvironmentKey, of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) async throws(StoreError) -> [UInt8] {
        let column = key.column
        return try await write { transaction in
            var row = try transaction.rows(
                """
                UPDATE environments SET \(column) = coalesce(\(column), $2) WHERE id = $1
                RETURNING \(column)
                """, [.integer(environment.number), .bytes(fresh)]
            ).first
            guard let bytes = try row?.bytes() else {
                throw StoreError.environmentGone
            }
            return bytes
        }
    }
}

extension PostgresDatabase: AccountStore {
    package func users(in environment: EnvironmentID) async throws(StoreError) -> [User] {
        try await ask { transaction in
            try transaction.rows(
                "SELECT \(userColumns) FROM users WHERE environment = $1 ORDER BY login",
                [.integer(environment.number)]
            ).map { try User(row: &$0) }
        }
    }

    package func users(matching query: UserQuery) async throws(StoreError) -> [ListedUser] {
        let part = #"strpos(lower(%@ COLLATE "C"), lower($3 COLLATE "C")) > 0"#
        let isFound = ["login", "mail", "group_name"].map { part.replacing("%@", with: $0) }
        return try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(userColumns), day
                FROM users LEFT JOIN user_days USING (environment, login)
                WHERE environment = $1 AND login > $2
                AND (\(isFound.joined(separator: " OR "))) ORDER BY login LIMIT $4
                """,
                [
                    .integer(query.environment.number), .text(query.after), .text(query.search),
                    .integer(Int64(query.limit)),
                ]
            ).map { ListedUser(try User(row: &$0), lastDay: try $0.optionalInt64()) }
        }
    }

    /// Compares as the index `users_by_folded_mail` does.
    package func logins(
        withMail mail: String, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [String] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT login FROM users WHERE environment = $1
                AND lower(mail COLLATE "C") = lower($2 COLLATE "C") LIMIT $3
                """,
                [.integer(environment.number), .text(mail), .integer(Int64(limit))]
            ).map { try $0.text() }
        }
    }

    package func userCount(in environment: EnvironmentID) async throws(StoreError) -> Int {
        try await ask { transaction in
            var row = try transaction.rows(
                "SELECT count(*) FROM users WHERE environment = $1",
                [.integer(environment.number)]
            ).first
            return try row?.int() ?? 0
        }
    }

    package func user(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) -> User? {
        try await ask { try storedUser(login, in: environment, $0) }
    }

    package func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID, comparing names: AccountNames?,
        deciding: @escaping @Sendable (User?, OtherAccounts) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        while true {
            let step: (isOver: Bool, refusal: Refusal?) = try await write { transaction in
                // The user may not exist yet, and then cannot be locked.
                try lock(environment, transaction)
                _ = try lockUser(login, in: environment, transaction)
                let present = try storedUser(login, in: environment, transaction)
                let others = try names.map {
                    try otherAccounts($0, than: login, in: environment, transaction)
                }
                switch deciding(present, others ?? .notAsked) {
                case .failure(let refusal): return (true, refusal)
                case .success(let change):
                    let isOver = try carryOut(
                        change, of: login, replacing: present, in: environment, transaction)
                    return (isOver, nil)
                }
            }
            if step.isOver { return step.refusal }
        }
    }
}

/// Returns false if so much is kept for a user to remove that only a part of it was deleted.
private func carryOut(
    _ change: UserChange, of login: String, replacing present: User?,
    in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> Bool {
    let key: [Parameter] = [.integer(environment.number), .text(login)]
    switch change {
    case .remove:
        guard try deletePart(of: login, in: environment, transaction) < partRows else {
            return false
        }
        if let present {
            try noteReadPolicyChange(of: login, from: present.group, in: environment, transaction)
        }
        _ = try transaction.rows(
            of: ["users", "outcomes"].map { table in
                Statement("DELETE FROM \(table) WHERE environment = $1 AND login = $2", key)
            })
    case .write(let user, let endingSessions):
        if let present, !present.group.hasSameBytes(as: user.group) {
            try noteReadPolicyChange(of: login, from: present.group, in: environment, transaction)
        }
        try save(user, in: environment, transaction)
        if let present, user.endsResets(madeFor: present) {
            _ = try transaction.rows(
                "DELETE FROM account_codes WHERE environment = $1 AND login = $2", key)
        }
        if endingSessions { try endSessions(of: user.login, in: environment, transaction) }
    case .unlock:
        _ = try transaction.rows(
            "DELETE FROM failed_sign_ins WHERE environment = $1 AND login = $2", key)
    }
    return true
}

func storedUser(
    _ login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> User? {
    try transaction.rows(
        "SELECT \(userColumns) FROM users WHERE environment = $1 AND login = $2",
        [.integer(environment.number), .text(login)]
    ).map { try User(row: &$0) }.first
}

private func otherAccounts(
    _ names: AccountNames, than login: String, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws -> OtherAccounts {
    let rows = try transaction.rows(
        """
        SELECT
            EXISTS (SELECT 1 FROM users WHERE environment = $1 AND login <> $2
                AND lower(login COLLATE "C") = lower($2 COLLATE "C")),
            EXISTS (SELECT 1 FROM users WHERE environment = $1 AND login <> $2
                AND mail <> '' AND lower(mail COLLATE "C") = lower($3 COLLATE "C")),
            (SELECT count(*) FROM (SELECT 1 FROM users WHERE environment = $1 LIMIT $4) AS counted)
        """,
        [
            .integer(environment.number), .text(login), .text(names.mail),
            .integer(Int64(names.mostUsers)),
        ])
    guard var row = rows.first else { return .notAsked }
    return OtherAccounts(
        haveLogin: try row.flag(), haveMail: try row.flag(), count: Int(try row.int64()))
}

func environmentState(named name: String, _ transaction: PGTransaction) throws -> EnvironmentState?
{
    let rows = try transaction.rows(
        """
        SELECT environments.id, epoch, instance, sequence, version, digest, fingerprint, source,
            deployed_at, is_locked
        FROM environments JOIN versions ON versions.id = environments.version
        WHERE name = $1
        """, [.text(name)])
    guard var row = rows.first else { return nil }
    let id = try row.number(as: .environment)
    let epochs = EpochChain(
        current: try row.int64(), ended: try endedEpochs(of: id, transaction))
    return EnvironmentState(
        id: EnvironmentID(number: id), name: name,
        instance: try row.text(), sequence: try row.number(as: .sequence),
        deployment: try row.number(as: .sequence), digest: try row.text(),
        fingerprint: try row.text(), source: try row.bytes(),
        deployedAt: try row.instant(), isLocked: try row.flag(),
        epochs: epochs)
}

func save(
    _ user: User, in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(
        """
        INSERT INTO users (environment, login, group_name, mail, is_admin, password_hash,
            made_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (environment, login) DO UPDATE SET group_name = excluded.group_name,
            mail = excluded.mail, is_admin = excluded.is_admin,
            password_hash = excluded.password_hash, made_at = excluded.made_at,
            changed_at = excluded.changed_at
        """,
        [
            .integer(environment.number), .text(user.login), .text(user.group),
            .text(user.mail), .flag(user.isAdmin), .text(user.passwordHash),
            .integer(user.madeAt?.milliseconds), .integer(user.changedAt?.milliseconds),
        ])
}

/// Deletes the user's sessions, and the failed sign-ins, which belong to the old password.
func endSessions(
    of login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(
        of: ["sessions", "failed_sign_ins"].map { table in
            Statement(
                "DELETE FROM \(table) WHERE environment = $1 AND login = $2",
                [.integer(environment.number), .text(login)])
        })
}

private let userColumns =
    "login, group_name, mail, is_admin, password_hash, made_at, changed_at"

extension User {
    fileprivate init(row: inout Row) throws {
        self.init(
            login: try row.text(), group: try row.text(), mail: try row.text(),
            isAdmin: try row.flag(), passwordHash: try row.text(),
            madeAt: try row.optionalInstant(), changedAt: try row.optionalInstant())
    }
}
