import DefinitionModel

// Versions of a definition that changes, and apps of them.

extension HistoryGenerator {
    /// Nil most of the time, and in histories whose definition stays.
    mutating func evolution(in world: World) -> Step? {
        guard let state = world.server.evolution else { return nil }
        switch random.int(below: 100) {
        case 0..<5: return .server(deployment(after: state))
        case 5..<10: return update(in: world)
        case 10..<14: return .server(.fill)
        default: return nil
        }
    }

    private mutating func deployment(after state: EvolutionState) -> ServerStep {
        guard state.prepared == nil else { return .deployPrepared }
        if random.chance(10) { return .goBack }
        let changes = (0...random.int(below: 3)).compactMap { _ in
            change(of: state.present, in: random.one(of: state.present.definition.models))
        }
        // The library follows no name that its new version does not tell.
        let forgetsNames = random.chance(scenario.realClient == nil ? 50 : 15)
        return random.chance(40)
            ? .prepare(changes, forgetsNames: forgetsNames)
            : .evolve(changes, forgetsNames: forgetsNames)
    }

    private mutating func update(in world: World) -> Step {
        let client = random.int(below: world.clients.count)
        if world.server.evolution?.prepared != nil, random.chance(60) {
            return .appIsAhead(client: client)
        }
        return random.chance(15) ? .newDevice(client: client) : .appUpdate(client: client)
    }

    private mutating func change(of version: EvolvingDefinition, in model: Model?) -> Evolution? {
        guard let model, let field = random.one(of: model.fields)?.name else { return nil }
        let whole = model.fields.filter { $0.type.name == .integer }
        if let field = random.one(of: whole)?.name, random.chance(10) {
            return .widenType(field, of: model.name)
        }
        if let gone = random.one(of: version.goneModels), random.chance(15) {
            return .restoreModel(gone.name)
        }
        let gone = random.one(of: version.goneFields[model.name] ?? [])?.name
        switch random.int(below: 19) {
        case 0..<3: return .renameModel(model.name)
        case 3..<7: return .renameField(field, of: model.name)
        case 7..<11:
            return random.one(of: Evolution.AddedField.allCases).map {
                .addField($0, of: model.name)
            }
        case 11, 12: return .removeField(field, of: model.name)
        case 13, 14: return gone.map { .restoreField($0, of: model.name) }
        case 15: return .requireField(field, of: model.name)
        case 16: return .narrowLimits(field, of: model.name)
        case 17: return .widenLimits(field, of: model.name)
        default:
            return random.chance(50) ? .addModel(like: model.name) : .removeModel(model.name)
        }
    }
}
