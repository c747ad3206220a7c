import DefinitionModel
import Testing
import VersionTranslation

/// Every sequence of four changes of a definition, with clients of three versions before the served
/// one up to one after it. A field has the same identity in all versions, whatever its name.
@Suite struct GeneratedChainTests {
    enum Step: CaseIterable {
        case nothing, renameModel, renameField, addField, removeField, widenType, renameAllKeeping
    }

    @Test(arguments: Step.allCases, Step.allCases)
    func fieldsOfOneIdentityStandForEachOther(first: Step, second: Step) throws {
        for third in Step.allCases {
            for fourth in Step.allCases {
                let chain = try Chain([first, second, third, fourth])
                for served in chain.versions.indices {
                    for client in max(0, served - 3)...min(served + 1, chain.versions.count - 1) {
                        try chain.check(client: client, served: served)
                    }
                }
            }
        }
    }
}

/// A definition with one model, which changes step by step.
private struct Chain {
    struct State {
        var model = "m0"
        var earlierModels: [String] = []
        var fields: [FieldState] = []
    }

    struct FieldState {
        let identity: Int
        var name: String
        var earlier: [String] = []
        var type = "INTEGER"
    }

    private(set) var versions: [Definition] = []
    private var states: [State] = []
    private var made = 0

    init(_ steps: [GeneratedChainTests.Step]) throws {
        var state = State(fields: [])
        for _ in 0..<5 { state.fields.append(fresh()) }
        try add(state)
        for (number, step) in steps.enumerated() {
            advance(&state, by: step, number)
            try add(state)
        }
    }

    private mutating func fresh() -> FieldState {
        made += 1
        return FieldState(identity: made, name: "f\(made)")
    }

    private mutating func add(_ state: State) throws {
        let fields = state.fields.map { field in
            field.name + (field.earlier.isEmpty ? "" : "<\(field.earlier.joined(separator: " "))")
                + " \(field.type)"
        }
        let model =
            state.model
            + (state.earlierModels.isEmpty
                ? "" : "<\(state.earlierModels.joined(separator: " "))")
        states.append(state)
        let text = "\(model): \(fields.joined(separator: ", "))"
        let definition = try version(text)
        versions.append(
            Definition(
                application: "a", vendor: "v", conflictMode: .manual,
                deviceCategories: ["mobile"], groups: ["users"], roles: [role],
                models: definition.models, digest: "\(versions.count)"))
    }

    private mutating func advance(
        _ state: inout State, by step: GeneratedChainTests.Step, _ number: Int
    ) {
        let place = state.fields.isEmpty ? nil : number % state.fields.count
        // An attribute says what was renamed in this version only, or since the beginning.
        if step != .renameAllKeeping {
            state.earlierModels = []
            for index in state.fields.indices { state.fields[index].earlier = [] }
        }
        switch step {
        case .nothing: break
        case .renameModel: renameModel(&state, number)
        case .renameField: if let place { rename(&state.fields[place], number) }
        case .addField: state.fields.append(fresh())
        case .removeField: if let place { state.fields.remove(at: place) }
        case .widenType: if let place { state.fields[place].type = "DECIMAL" }
        case .renameAllKeeping:
            renameModel(&state, number)
            for index in state.fields.indices { rename(&state.fields[index], number) }
        }
    }

    private func renameModel(_ state: inout State, _ number: Int) {
        state.earlierModels.append(state.model)
        state.model = "m\(number + 1)"
    }

    private func rename(_ field: inout FieldState, _ number: Int) {
        field.earlier.append(field.name)
        field.name = "f\(field.identity)v\(number)"
    }

    func check(client: Int, served: Int) throws {
        let path = try #require(
            VersionPath(
                from: versions[client].fingerprint, to: versions[served].fingerprint,
                along: versions))
        let translation = ClientTranslation(of: versions[client], along: path)
        let (mine, theirs) = (states[client], states[served])
        let model = try #require(translation.model(calledByClient: mine.model))
        #expect(model.served.name == theirs.model)
        #expect(translation.model(servedAs: theirs.model)?.client.name == mine.model)
        for field in mine.fields {
            let counterpart = theirs.fields.first { $0.identity == field.identity }
            let found = model.field(calledByClient: field.name)
            #expect(found?.served.name == counterpart?.name, "\(field) in \(theirs)")
            #expect(model.unserved.contains { $0.name == field.name } == (counterpart == nil))
        }
        for field in theirs.fields {
            let counterpart = mine.fields.first { $0.identity == field.identity }
            #expect(model.field(servedAs: field.name)?.client.name == counterpart?.name)
        }
        let reduced = try #require(translation.reduced.models.first)
        #expect(reduced.fields.allSatisfy { model.field(servedAs: $0.name) != nil })
    }
}
