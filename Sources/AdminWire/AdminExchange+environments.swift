import Administration
import DefinitionModel
import DefinitionReports
import HTTPTypes
import Hummingbird
import JSON
import SyncEngine
import SyncServer

/// Environments, with their rights.
extension AdminExchange {
    func listEnvironments() async throws -> Response {
        let all = try await storing { () async throws(StoreError) in
            try await desk.store.environments()
        }
        var entries: [JSONValue] = []
        for name in all.map(\.name) where caller?.maySee(environment: name) ?? false {
            if let present = try await environment(named: name) {
                entries.append(try await json(of: present))
            }
        }
        return .json(.array(entries))
    }

    func showEnvironment() async throws -> Response {
        .json(try await json(of: try await environment()))
    }

    private func json(of present: PresentEnvironment) async throws -> JSONValue {
        let state = present.state
        let last = try await storing { () async throws(StoreError) in
            try await desk.store.deployments(of: state.id, before: nil, limit: 1)
        }
        return .object([
            "name": .string(state.name), "vendor": .string(present.definition.vendor),
            "application": .string(present.definition.application),
            "digest": .string(state.digest), "fingerprint": .string(state.fingerprint),
            "deployment": .integer(state.deployment), "sequence": .integer(state.sequence),
            "version": .integer(last.first?.version ?? 0), "locked": .boolean(state.isLocked),
        ])
    }

    func lockEnvironment() async throws -> Response {
        let state = try await environment().state
        let isLocked = body.flag("locked") ?? true
        try await log(
            target: state.name, before: .boolean(state.isLocked), after: .boolean(isLocked))
        try await storing { () async throws(StoreError) in
            try await desk.store.setLock(isLocked, of: state.id)
        }
        return Response(status: .noContent)
    }

    func renameEnvironment() async throws -> Response {
        let state = try await openEnvironment()
        let name = body.text("name")
        guard EnvironmentName.isLegal(name) else {
            throw HTTPFailure.environmentNameIllegal(name)
        }
        try await log(
            target: name, before: .object(["name": .string(state.name)]),
            after: .object(["name": .string(name)]))
        let isRenamed = try await storing { () async throws(StoreError) in
            try await desk.store.renameDeployed(state.id, to: name)
        }
        guard isRenamed else { throw HTTPFailure.environmentExists(name) }
        return Response(status: .noContent)
    }

    /// The contents of files that no other environment has are left to the next sweep.
    func removeEnvironment() async throws -> Response {
        let state = try await openEnvironment()
        guard try request.queryValue("confirm")?.hasSameBytes(as: state.name) ?? false else {
            throw HTTPFailure.parameterIllegal("confirm", "is not the environment's name")
        }
        try await log(
            target: state.name,
            before: .object([
                "fingerprint": .string(state.fingerprint), "sequence": .integer(state.sequence),
            ]))
        try await storing { () async throws(StoreError) in
            try await desk.store.remove(state.id)
        }
        return Response(status: .noContent)
    }

    /// The environment that the path names. Throws `environmentLocked`.
    private func openEnvironment() async throws -> EnvironmentState {
        let state = try await environment().state
        guard !state.isLocked else { throw HTTPFailure(.locked, environment: state.name) }
        return state
    }

    func listDeployments() async throws -> Response {
        let (state, page) = (try await environment().state, try AdminPage(request))
        let last = try page.number()
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.deployments(of: state.id, before: last, limit: page.limit)
        }
        return page.answer(found.map { ($0.json, "\($0.number)") })
    }

    func showRights() async throws -> Response {
        let definition = try await environment().definition
        return .json(bytes: renderAsJSON(RightsMatrix(definition)).utf8)
    }

    func explainRight() async throws -> Response {
        let present = try await environment()
        return try explanation(in: present.definition, file: present.state.name)
    }

    /// Explains the right that the body names.
    func explanation(in definition: Definition, file: String) throws -> Response {
        try explanation(
            ofRole: body.text("role"), model: body.text("model"),
            owner: RecordOwner(rawValue: body.text("owner")) ?? .other, in: definition, file: file)
    }
}

extension AdminCaller {
    fileprivate func maySee(environment name: String) -> Bool {
        switch proof {
        case .session: true
        case .token(let own): own.map { $0.hasSameBytes(as: name) } ?? true
        }
    }
}
