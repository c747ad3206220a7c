package import SyncEngine

/// Manages the operators of a database. It does not check the rights of the caller.
package struct OperatorDirectory: Sendable {
    private let store: any AdministrationStore

    package init(store: any AdministrationStore) { self.store = store }

    /// Adds an operator.
    package func add(_ added: Operator, at now: Instant) async throws(OperatorError) {
        try check(added)
        try await change(at: now) { all, _ in
            guard all.count < AdministrationLimits.operators else { return .failure(.tooMany) }
            guard !all.contains(where: { $0.name == added.name }) else {
                return .failure(.exists(added.name))
            }
            return .success(.write(added, endingSessions: false, revokingTokens: false))
        }
    }

    /// Adds the first operator, if `setup` is the hash of a valid token.
    package func addFirst(
        _ first: Operator, setup: [UInt8], at now: Instant
    ) async throws(OperatorError) {
        try check(first)
        try await change(setup: setup, at: now) { all, isSetup in
            guard all.isEmpty, isSetup else { return .failure(.setupClosed) }
            return .success(.write(first, endingSessions: false, revokingTokens: false))
        }
    }

    /// Changes scope, password or both. A new password ends the operator's sessions; a new scope
    /// ends their tokens too.
    package func edit(
        _ name: String, scope: AdminScope?, passwordHash: String?, at now: Instant
    ) async throws(OperatorError) {
        try check(scope)
        try await change(at: now) { all, _ in
            guard var edited = all.first(where: { $0.name == name }) else {
                return .failure(.unknown(name))
            }
            let hasNewScope = scope.map { $0 != edited.scope } ?? false
            if hasNewScope, all.isLastDesigner(name) { return .failure(.lastDesigner(name)) }
            edited.scope = scope ?? edited.scope
            edited.passwordHash = passwordHash ?? edited.passwordHash
            return .success(
                .write(
                    edited, endingSessions: passwordHash != nil || hasNewScope,
                    revokingTokens: hasNewScope))
        }
    }

    /// Removes an operator with their sessions and tokens.
    package func remove(_ name: String, at now: Instant) async throws(OperatorError) {
        try await change(at: now) { all, _ in
            guard all.contains(where: { $0.name == name }) else {
                return .failure(.unknown(name))
            }
            guard !all.isLastDesigner(name) else { return .failure(.lastDesigner(name)) }
            return .success(.remove(name: name))
        }
    }

    private func check(_ added: Operator) throws(OperatorError) {
        guard Operator.isLegal(name: added.name) else { throw .nameIllegal(added.name) }
        try check(added.scope)
    }

    private func check(_ scope: AdminScope?) throws(OperatorError) {
        guard let scope else { return }
        guard AdminScope.ofPeople.contains(scope) else { throw .scopeOfTokens(scope) }
    }

    private func change(
        setup: [UInt8]? = nil, at now: Instant,
        deciding: @escaping @Sendable ([Operator], Bool) -> Result<OperatorChange, OperatorError>
    ) async throws(OperatorError) {
        let refusal: OperatorError?
        do {
            refusal = try await store.changeOperators(setup: setup, at: now, deciding: deciding)
        } catch {
            throw .store(error)
        }
        if let refusal { throw refusal }
    }
}

/// A reason why an operator was not added, changed or removed.
package enum OperatorError: Error, Hashable, Sendable {
    case nameIllegal(String)
    /// The scope is for tokens only.
    case scopeOfTokens(AdminScope)
    case exists(String)
    case unknown(String)
    /// Nobody could administer the operators afterwards.
    case lastDesigner(String)
    case tooMany
    /// There is an operator already, or the token for the first one is unknown or has expired.
    case setupClosed
    case store(StoreError)
}

extension [Operator] {
    /// Names are ASCII.
    fileprivate func isLastDesigner(_ name: String) -> Bool {
        let designers = filter { $0.scope == .designer }
        return designers.count == 1 && designers[0].name == name
    }
}
