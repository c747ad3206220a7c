import SyncEngine
import TestKit
import Testing
import UserAccounts

@Suite("Codes of accounts")
struct AccountCodeTests {
    private enum Refusal: Error, Hashable { case codeUnknown, taken }

    private func code(
        _ number: UInt8, _ purpose: AccountCode.Purpose = .invitation(group: "users"),
        uses: Int64 = 1, at created: Int64 = 0, until end: Int64 = 1000
    ) -> AccountCode {
        AccountCode(
            hash: [number], purpose: purpose, usesLeft: uses, author: "operator",
            createdAt: Instant(milliseconds: created), expiresAt: Instant(milliseconds: end))
    }

    private func add(
        _ code: AccountCode, to bench: SessionBench, keeping max: Int = 9,
        sparing spared: Int64? = nil, at now: Int64 = 0
    ) async throws -> AccountCodeAddition {
        try await bench.store.addAccountCode(
            code, in: bench.one, keeping: max,
            sparing: spared.map { Instant(milliseconds: $0) }, at: Instant(milliseconds: now))
    }

    private func hashes(
        in environment: EnvironmentID, of bench: SessionBench, at now: Int64 = 0
    ) async throws -> [[UInt8]] {
        try await bench.store.accountCodes(
            in: environment, at: Instant(milliseconds: now)
        ).map(\.hash)
    }

    /// Signs up, or replaces the password of a user who is there.
    private func use(
        _ number: UInt8, for login: String, in bench: SessionBench, at now: Int64 = 0
    ) async throws -> Refusal? {
        try await bench.store.useAccountCode(
            hash: [number], for: login, in: bench.one, at: Instant(milliseconds: now)
        ) { code, present in
            guard let code else { return .failure(Refusal.codeUnknown) }
            guard code.group == nil || present == nil else { return .failure(.taken) }
            return .success(
                User(
                    login: login, group: code.group ?? "users", mail: "", isAdmin: false,
                    passwordHash: "new"))
        }
    }

    @Test(arguments: stores) func codesAreListedInOrderOfCreation(
        _ kind: StoreKind
    ) async throws {
        let bench = try await SessionBench(kind)
        let all = [
            code(3, at: 1), code(2, uses: 7), code(1, .reset(login: "a"), at: 2, until: 500),
        ]
        for code in all { #expect(try await add(code, to: bench) == .added) }
        let listed = try await bench.store.accountCodes(
            in: bench.one, at: Instant(milliseconds: 0))
        #expect(listed == [all[1], all[0], all[2]])
        #expect(try await hashes(in: bench.one, of: bench, at: 500) == [[2], [3]])
        #expect(try await hashes(in: bench.two, of: bench) == [])
    }

    @Test(arguments: stores) func codeIsFoundByItsHash(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        let all = [code(1), code(2, uses: 3), code(3, .reset(login: "a"), until: 500)]
        for code in all { #expect(try await add(code, to: bench) == .added) }
        for code in all {
            let found = try await bench.store.accountCode(
                hash: code.hash, in: bench.one, at: Instant(milliseconds: 0))
            #expect(found == code)
        }
        for (hash, environment, now) in [
            ([4], bench.one, 0), ([1], bench.two, 0), ([3], bench.one, 500),
        ] as [([UInt8], EnvironmentID, Int64)] {
            let found = try await bench.store.accountCode(
                hash: hash, in: environment, at: Instant(milliseconds: now))
            #expect(found == nil)
        }
    }

    @Test(arguments: stores) func limitCountsValidCodes(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await add(code(1, until: 500), to: bench, keeping: 1) == .added)
        #expect(try await add(code(2), to: bench, keeping: 1) == .full)
        #expect(try await add(code(2), to: bench, keeping: 1, at: 500) == .added)
        #expect(try await hashes(in: bench.one, of: bench) == [[2]])
    }

    @Test(arguments: stores) func resetReplacesEarlierOne(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for login in ["a", "b"] {
            let number: UInt8 = login == "a" ? 1 : 2
            #expect(try await add(code(number, .reset(login: login)), to: bench) == .added)
        }
        #expect(try await add(code(3, .reset(login: "a")), to: bench) == .added)
        #expect(try await hashes(in: bench.one, of: bench) == [[2], [3]])
        #expect(try await add(code(4, .reset(login: "c")), to: bench) == .userUnknown)
    }

    @Test(arguments: stores) func recentResetIsSpared(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(
            try await add(code(1, .reset(login: "a"), at: 100, until: 500), to: bench) == .added)
        let next = code(2, .reset(login: "a"), at: 200)
        #expect(try await add(next, to: bench, sparing: 99, at: 200) == .recent)
        #expect(try await add(code(3, .reset(login: "b")), to: bench, sparing: 99) == .added)
        #expect(try await hashes(in: bench.one, of: bench) == [[3], [1]])
        #expect(try await add(next, to: bench, sparing: 100, at: 200) == .added)
        #expect(try await hashes(in: bench.one, of: bench) == [[3], [2]])
        // An expired one is none.
        #expect(
            try await add(code(4, .reset(login: "a")), to: bench, sparing: 0, at: 1000) == .added)
    }

    /// A ticket is remembered until it expires, and taken once.
    @Test(arguments: stores) func ticketsAreGoodOnce(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        func add(
            _ number: UInt8, _ body: String, until end: Int64 = 1000, keeping max: Int = 9,
            in environment: EnvironmentID? = nil, at now: Int64 = 0
        ) async throws -> SignInTicketAddition {
            try await bench.store.addSignInTicket(
                SignInTicket(
                    hash: [number], body: body, expiresAt: Instant(milliseconds: end)),
                in: environment ?? bench.one, keeping: max, at: Instant(milliseconds: now))
        }
        func take(_ number: UInt8, at now: Int64 = 0) async throws -> String? {
            try await bench.store.takeSignInTicket(
                hash: [number], in: bench.one, at: Instant(milliseconds: now))?.body
        }
        #expect(try await add(1, "one") == .added)
        #expect(try await add(1, "two") == .present(body: "one"))
        #expect(try await add(1, "two", in: bench.two) == .added)
        #expect(try await take(2) == nil)
        #expect(try await take(1) == "one")
        #expect(try await take(1) == nil)
        #expect(try await add(1, "again", until: 500) == .added)
        #expect(try await add(2, "more", keeping: 1) == .full)
        #expect(try await add(2, "more", keeping: 1, at: 500) == .added)
        #expect(try await take(2, at: 1000) == nil)
        #expect(try await add(3, "last") == .added)
    }

    @Test(arguments: stores) func codeIsUsedAsOftenAsItSays(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await add(code(1, uses: 2), to: bench) == .added)
        #expect(try await use(1, for: "a", in: bench) == .taken)
        #expect(try await use(1, for: "c", in: bench, at: 1000) == .codeUnknown)
        #expect(try await use(1, for: "c", in: bench) == nil)
        #expect(try await bench.store.user("c", in: bench.one)?.passwordHash == "new")
        #expect(try await use(1, for: "d", in: bench) == nil)
        #expect(try await use(1, for: "e", in: bench) == .codeUnknown)
        #expect(try await bench.store.user("e", in: bench.one) == nil)
    }

    @Test(arguments: stores) func resetEndsSessions(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for (token, login) in [(UInt8(1), "a"), (2, "b")] {
            #expect(try await bench.open(token, of: login))
        }
        #expect(try await add(code(1, .reset(login: "a")), to: bench) == .added)
        #expect(try await use(1, for: "a", in: bench) == nil)
        #expect(try await !bench.isOpen(1))
        #expect(try await bench.isOpen(2))
        #expect(try await use(1, for: "a", in: bench) == .codeUnknown)
    }

    /// A person who still reads the mails of a user, or has an old one, gets no new password.
    @Test(arguments: stores) func resetEndsWithPasswordAndAddress(_ kind: StoreKind) async throws {
        for (mail, hash, isGood) in [("", "x", false), ("new", "a", false), ("", "a", true)] {
            let bench = try await SessionBench(kind)
            try await bench.put("a", in: bench.one)
            let former = try #require(try await bench.store.user("a", in: bench.one))
            #expect(try await add(code(1, .reset(login: "a")), to: bench) == .added)
            #expect(try await add(code(2, .reset(login: "b")), to: bench) == .added)
            #expect(try await add(code(3), to: bench) == .added)
            let changed = User(
                login: "a", group: "guests", mail: former.mail + mail, isAdmin: false,
                passwordHash: hash == "a" ? former.passwordHash : hash)
            let refusal: Refusal? = try await bench.store.changeUser("a", in: bench.one) { _ in
                .success(.write(changed, endingSessions: true))
            }
            #expect(refusal == nil)
            let kept: [[UInt8]] = isGood ? [[1], [2], [3]] : [[2], [3]]
            #expect(try await hashes(in: bench.one, of: bench) == kept)
        }
    }

    /// A new user with the same login does not get the code of the former one.
    @Test(arguments: stores) func codesEndByRemovalAndWithTheirUser(
        _ kind: StoreKind
    ) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await add(code(1), to: bench) == .added)
        #expect(try await add(code(2, .reset(login: "a")), to: bench) == .added)
        #expect(try await bench.store.removeAccountCode(hash: [1], in: bench.one))
        #expect(try await !bench.store.removeAccountCode(hash: [1], in: bench.one))
        try await bench.remove("a")
        try await bench.put("a", in: bench.one)
        #expect(try await use(2, for: "a", in: bench) == .codeUnknown)
        #expect(try await hashes(in: bench.one, of: bench) == [])
    }
}
