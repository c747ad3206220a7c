import DefinitionModel
package import SyncEngine

/// Invitations, and resets of passwords.
extension UserDirectory {
    /// The valid codes, in the order of creation.
    package func codes(at now: Instant) async throws(AccountError) -> [AccountCode] {
        try await reading { () async throws(StoreError) in
            try await store.accountCodes(in: environment, at: now)
        }
    }

    /// Makes a code with which somebody signs up as a user of a group. `hash` is that of its text.
    /// Throws `groupUnknown`, `numberOutOfRange` and `tooManyCodes`.
    package func invite(
        to group: String, uses: Int64 = 1, days: Int64 = AccountCodeLimits.usualDays,
        hash: [UInt8], by author: String, at now: Instant
    ) async throws(AccountError) -> AccountCode {
        guard groups.contains(group) else { throw .groupUnknown(group, known: groups) }
        guard (1...AccountCodeLimits.uses).contains(uses) else {
            throw .numberOutOfRange("uses", max: AccountCodeLimits.uses)
        }
        guard (1...AccountCodeLimits.days).contains(days) else {
            throw .numberOutOfRange("days", max: AccountCodeLimits.days)
        }
        return try await add(
            AccountCode(
                hash: hash, purpose: .invitation(group: group), usesLeft: uses, author: author,
                createdAt: now, expiresAt: now.adding(seconds: days * 86_400)))
    }

    /// Makes a code with which a user gets a new password, once and within a day. It replaces an
    /// earlier one. Throws `loginIllegal`, `unknown` and `tooManyCodes`.
    package func reset(
        _ text: String, hash: [UInt8], by author: String, at now: Instant
    ) async throws(AccountError) -> AccountCode {
        guard let login = Login.normalized(text) else { throw .loginIllegal(text) }
        return try await add(
            AccountCode(
                hash: hash, purpose: .reset(login: login), usesLeft: 1, author: author,
                createdAt: now,
                expiresAt: now.adding(seconds: AccountCodeLimits.resetSeconds)))
    }

    /// Ends a code by its name. Throws `codeUnknown`.
    package func revoke(_ name: String, at now: Instant) async throws(AccountError) {
        let code = try await codes(at: now).first { $0.name.hasSameBytes(as: name) }
        guard let code else { throw .codeUnknown }
        let isRemoved = try await reading { () async throws(StoreError) in
            try await store.removeAccountCode(hash: code.hash, in: environment)
        }
        guard isRemoved else { throw .codeUnknown }
    }

    private func add(_ code: AccountCode) async throws(AccountError) -> AccountCode {
        let addition = try await reading { () async throws(StoreError) in
            try await store.addAccountCode(
                code, in: environment, keeping: AccountCodeLimits.codes, sparing: nil,
                at: code.createdAt)
        }
        switch addition {
        case .added: return code
        case .full: throw .tooManyCodes(max: AccountCodeLimits.codes)
        case .userUnknown, .recent: throw .unknown(code.login ?? "")
        }
    }
}
