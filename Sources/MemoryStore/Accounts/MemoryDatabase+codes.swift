import DefinitionModel
package import SyncEngine
package import UserAccounts

extension MemoryDatabase {
    package func accountCodes(
        in environment: EnvironmentID, at now: Instant
    ) throws(StoreError) -> [AccountCode] {
        try read(environment).accountCodes.values.filter { $0.expiresAt > now }.sorted {
            $0.createdAt == $1.createdAt
                ? $0.hash.lexicographicallyPrecedes($1.hash) : $0.createdAt < $1.createdAt
        }
    }

    package func accountCode(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) throws(StoreError) -> AccountCode? {
        try read(environment).accountCodes[hash].flatMap { $0.expiresAt > now ? $0 : nil }
    }

    package func addAccountCode(
        _ code: AccountCode, in environment: EnvironmentID, keeping max: Int,
        sparing spared: Instant?, at now: Instant
    ) throws(StoreError) -> AccountCodeAddition {
        try write(in: environment) { present in
            if let login = code.login {
                guard present.users[ByteKey(login)] != nil else { return .userUnknown }
                let isRecent = present.accountCodes.values.contains { former in
                    former.login.map { ByteKey($0) } == ByteKey(login)
                        && former.expiresAt > now && spared.map { former.createdAt > $0 } ?? false
                }
                if isRecent { return .recent }
                present.forgetResets(of: login)
            }
            present.accountCodes = present.accountCodes.filter { $0.value.expiresAt > now }
            guard present.accountCodes.count < max else { return .full }
            present.accountCodes[code.hash] = code
            return .added
        }
    }

    package func removeAccountCode(
        hash: [UInt8], in environment: EnvironmentID
    ) throws(StoreError) -> Bool {
        try write(in: environment) { $0.accountCodes.removeValue(forKey: hash) != nil }
    }

    package func useAccountCode<Refusal: Error>(
        hash: [UInt8], for login: String, in environment: EnvironmentID, at now: Instant,
        deciding: @escaping @Sendable (AccountCode?, User?) -> Result<User, Refusal>
    ) throws(StoreError) -> Refusal? {
        try write { contents throws(StoreError) in
            var present = try contents.environment(environment)
            let code = present.accountCodes[hash].flatMap { $0.expiresAt > now ? $0 : nil }
            switch deciding(code, present.users[ByteKey(login)]) {
            case .failure(let refusal): return refusal
            case .success(let user):
                present.users[ByteKey(user.login)] = user
                present.forgetFailedSignIns(of: user.login)
                present.accountCodes[hash]?.usesLeft -= 1
                if present.accountCodes[hash]?.usesLeft == 0 { present.accountCodes[hash] = nil }
                contents.environments[environment] = present
                contents.endSessions(of: user.login, in: environment)
                return nil
            }
        }
    }
}

extension Environment {
    mutating func forgetResets(of login: String) {
        accountCodes = accountCodes.filter { $0.value.login.map { ByteKey($0) } != ByteKey(login) }
    }
}

// MARK: - Tickets of sign-ins

extension MemoryDatabase {
    package func addSignInTicket(
        _ ticket: SignInTicket, in environment: EnvironmentID, keeping max: Int, at now: Instant
    ) throws(StoreError) -> SignInTicketAddition {
        try write(in: environment) { present in
            present.signInTickets = present.signInTickets.filter { $0.value.expiresAt > now }
            if let former = present.signInTickets[ticket.hash] {
                return .present(body: former.body)
            }
            guard present.signInTickets.count < max else { return .full }
            present.signInTickets[ticket.hash] = ticket
            return .added
        }
    }

    package func takeSignInTicket(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) throws(StoreError) -> SignInTicket? {
        try write(in: environment) { present in
            present.signInTickets.removeValue(forKey: hash).flatMap {
                $0.expiresAt > now ? $0 : nil
            }
        }
    }
}
