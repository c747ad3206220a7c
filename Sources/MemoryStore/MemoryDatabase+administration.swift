package import Administration
package import SyncEngine

extension MemoryDatabase: AdministrationStore {
    package func catalog(before number: Int64?, limit: Int) throws(StoreError) -> [CatalogVersion] {
        let present = read().administration
        let numbers = present.catalog.indices.map { Int64($0) + 1 }.reversed()
        return numbers.filter { $0 < number ?? .max }.prefix(limit).compactMap(present.version)
    }

    package func catalogVersion(_ number: Int64) throws(StoreError) -> CatalogVersion? {
        read().administration.version(number)
    }

    package func catalogVersion(tag: String) throws(StoreError) -> CatalogVersion? {
        guard !tag.isEmpty else { return nil }
        return try catalog(before: nil, limit: .max).first { $0.tag == tag }
    }

    package func catalogVersion(
        equalTo version: EnvironmentVersion
    ) throws(StoreError) -> CatalogVersion? {
        let present = read().administration
        let place = present.catalog.firstIndex {
            $0.version.fingerprint == version.fingerprint && $0.version.source == version.source
        }
        return place.flatMap { present.version(Int64($0) + 1) }
    }

    package func catalogSource(_ number: Int64) throws(StoreError) -> [UInt8]? {
        let present = read().administration
        return present.version(number).map { present.catalog[Int($0.number) - 1].version.source }
    }

    package func catalogSource(
        withFingerprint fingerprint: String
    ) throws(StoreError) -> [UInt8]? {
        read().administration.catalog.first { $0.version.fingerprint == fingerprint }?
            .version.source
    }

    package func catalogSource(withDigest digest: String) throws(StoreError) -> [UInt8]? {
        read().administration.catalog.last { $0.version.digest == digest }?.version.source
    }

    package func addToCatalog(_ version: EnvironmentVersion) throws(StoreError) -> Int64 {
        try write { contents in contents.administration.add(version) }
    }

    package func label(
        _ number: Int64, tag: String?, note: String?
    ) throws(StoreError) -> LabelResult {
        let holder = try tag.flatMap { tag throws(StoreError) in try catalogVersion(tag: tag) }
        if let holder, holder.number != number { return .tagTaken(number: holder.number) }
        return try write { contents in
            guard contents.administration.version(number) != nil else { return .versionUnknown }
            let place = Int(number) - 1
            if let tag { contents.administration.catalog[place].tag = tag }
            if let note { contents.administration.catalog[place].note = note }
            return .changed
        }
    }

    package func deployments(
        of environment: EnvironmentID, before number: Int64?, limit: Int
    ) throws(StoreError) -> [LoggedDeployment] {
        let contents = read()
        let environment = try contents.environment(environment)
        let all = (environment.earlier + [environment.current]).reversed()
        return all.filter { $0.number < number ?? .max }.prefix(limit).map { version in
            let place = contents.administration.catalog.firstIndex {
                $0.version.fingerprint == version.content.fingerprint
                    && $0.version.source == version.content.source
            }
            return LoggedDeployment(
                number: version.number, version: Int64((place ?? -1) + 1),
                fingerprint: version.content.fingerprint, author: version.content.author,
                deployedAt: version.content.deployedAt, fill: version.fill)
        }
    }

    package func setLock(_ isLocked: Bool, of environment: EnvironmentID) throws(StoreError) {
        try write(in: environment) { $0.isLocked = isLocked }
    }
}

// MARK: - Operators

extension MemoryDatabase {
    package func operators() throws(StoreError) -> [Operator] { read().administration.operators }

    package func changeOperators<Refusal: Error>(
        setup: [UInt8]?, at now: Instant,
        deciding: @escaping @Sendable ([Operator], Bool) -> Result<OperatorChange, Refusal>
    ) throws(StoreError) -> Refusal? {
        try write { contents in
            let expiry = setup.flatMap { contents.administration.setups[$0] }
            let isSetup = expiry.map { $0 > now } ?? false
            switch deciding(contents.administration.operators, isSetup) {
            case .failure(let refusal): return refusal
            case .success(let change):
                contents.administration.carryOut(change)
                return nil
            }
        }
    }

    package func addSetup(
        tokenHash: [UInt8], expiresAt: Instant, at now: Instant
    ) throws(StoreError) -> Bool {
        try write { contents in
            guard contents.administration.operators.isEmpty else { return false }
            contents.administration.setups[tokenHash] = expiresAt
            return true
        }
    }

    package func open(
        _ session: OperatorSession, passwordHash: String, keeping max: Int
    ) throws(StoreError) -> Bool {
        try write { contents in
            let isPresent = contents.administration.operators.contains {
                $0.name == session.name && $0.passwordHash == passwordHash
            }
            guard isPresent else { return false }
            var own = contents.administration.sessions.filter { $0.name == session.name }
            own.append(session)
            own.sort { $0.usedAt > $1.usedAt }
            contents.administration.sessions.removeAll { $0.name == session.name }
            contents.administration.sessions += own.prefix(max)
            return true
        }
    }

    package func operatorSession(
        tokenHash: [UInt8], usedAfter moment: Instant
    ) throws(StoreError) -> OpenOperatorSession? {
        let present = read().administration
        let session = present.sessions.first {
            $0.tokenHash == tokenHash && $0.usedAt > moment
        }
        return session.flatMap { session in
            present.operators.first { $0.name == session.name }.map {
                OpenOperatorSession(session: session, person: $0)
            }
        }
    }

    package func renewOperatorSession(
        tokenHash: [UInt8], at now: Instant, confirmed isConfirmed: Bool
    ) throws(StoreError) {
        try write { contents in
            let place = contents.administration.sessions.firstIndex { $0.tokenHash == tokenHash }
            guard let place else { return }
            let present = contents.administration.sessions[place]
            contents.administration.sessions[place] = OperatorSession(
                tokenHash: tokenHash, name: present.name, usedAt: now,
                confirmedAt: isConfirmed ? now : present.confirmedAt)
        }
    }

    package func endOperatorSession(tokenHash: [UInt8]) throws(StoreError) {
        try write { contents in
            contents.administration.sessions.removeAll { $0.tokenHash == tokenHash }
        }
    }

    package func tokens(at now: Instant) throws(StoreError) -> [NumberedToken] {
        read().administration.tokens.filter { $0.token.expiresAt > now }
    }

    package func add(_ token: OperatorToken, upTo max: Int) throws(StoreError) -> Int64? {
        try write { contents in
            contents.administration.tokens.removeAll { $0.token.expiresAt <= token.createdAt }
            guard contents.administration.tokens.count < max,
                contents.administration.operators.contains(where: { $0.name == token.author })
            else { return nil }
            contents.administration.lastToken += 1
            let number = contents.administration.lastToken
            contents.administration.tokens.append(NumberedToken(number: number, token: token))
            return number
        }
    }

    package func token(hash: [UInt8], at now: Instant) throws(StoreError) -> NumberedToken? {
        try tokens(at: now).first { $0.token.tokenHash == hash }
    }

    package func revokeToken(_ number: Int64) throws(StoreError) -> Bool {
        try write { contents in
            let isPresent = contents.administration.tokens.contains { $0.number == number }
            contents.administration.tokens.removeAll { $0.number == number }
            return isPresent
        }
    }

    package func log(_ activity: Activity, at now: Instant) throws(StoreError) {
        try write { contents in
            contents.administration.lastActivity += 1
            contents.administration.activities.append(
                LoggedActivity(
                    number: contents.administration.lastActivity, at: now, activity: activity))
        }
    }

    package func activities(
        before number: Int64?, limit: Int
    ) throws(StoreError) -> [LoggedActivity] {
        Array(
            read().administration.activities.reversed().filter { $0.number < number ?? .max }
                .prefix(limit))
    }

    package func sweepActivities(
        before moment: Instant, limit: Int
    ) throws(StoreError) -> Int {
        try write { contents in
            let old = contents.administration.activities.filter { $0.at < moment }
                .sorted { $0.at < $1.at }.prefix(limit)
            let numbers = Set(old.map(\.number))
            contents.administration.activities.removeAll { numbers.contains($0.number) }
            return old.count
        }
    }
}
