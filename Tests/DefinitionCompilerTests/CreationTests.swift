import DefinitionCompiler
import DefinitionModel
import Testing

/// The diagnostics about creation agree with a simulation in which every role tries everything.
@Suite struct CreationTests {
    static let seeds = UInt64(0)..<500

    @Test(arguments: seeds)
    func modelsReportedAsNeverCreatableCannotBeCreated(seed: UInt64) {
        let creation = RandomCreation(seed: seed)
        let found = Found(creation)
        let possible = creation.created()
        let impossible = found.models(["requiredNeverWritable", "neverCreatable"])
        for model in creation.models.indices where !creation.models[model].creators.isEmpty {
            let isDoomed = !creation.graph(of: model).isDisjoint(with: impossible)
            #expect(possible.contains(model) == !isDoomed, "m\(model) in \(found.text)")
        }
    }

    /// One record in each push, none of which refers to itself.
    @Test(arguments: seeds)
    func requiredCyclesCannotBeCreatedOneByOne(seed: UInt64) {
        let creation = RandomCreation(seed: seed)
        let found = Found(creation)
        let knotted = found.models(["requiredCycle"])
        let alone = creation.created(oneByOne: true)
        for model in creation.created() where !creation.models[model].creators.isEmpty {
            let isKnotted = !creation.graph(of: model).isDisjoint(with: knotted)
            #expect(alone.contains(model) == !isKnotted, "m\(model) in \(found.text)")
        }
    }

    @Test(arguments: seeds)
    func rolesThatCannotCreateAreNamed(seed: UInt64) {
        let creation = RandomCreation(seed: seed)
        let found = Found(creation)
        for (index, model) in creation.models.enumerated() {
            for (number, field) in model.fields.enumerated() {
                let part = Document.Part.field(number, of: index)
                let unable =
                    field.isRequired && !field.hasDefault
                    ? model.creators.subtracting(field.writers) : []
                let isHopeless = !unable.isEmpty && unable == model.creators
                #expect(found.has("requiredNeverWritable", at: part) == isHopeless, "\(found.text)")
                let isSaidOfAll = found.has("neverCreatable", at: .model(index))
                let expected = isHopeless || isSaidOfAll ? [] : unable
                #expect(found.rolesUnable(at: part) == expected, "\(found.text)")
            }
        }
    }

    /// Guards the tests above against seeds without interesting cases.
    @Test func seedsShowEveryCase() {
        let found = Self.seeds.map { Found(RandomCreation(seed: $0)) }
        for id in ["requiredNeverWritable", "requiredNotWritable", "requiredCycle"] {
            #expect(found.count { !$0.models([id]).isEmpty } > 20, "\(id)")
        }
        let places = found.flatMap(\.neverCreatable)
        #expect(places.count { if case .model = $0 { true } else { false } } > 10)
        #expect(places.count { if case .field = $0 { true } else { false } } > 10)
    }
}

/// The diagnostics of a definition, by the part they concern.
private struct Found {
    let text: String
    private let creation: RandomCreation
    private let said: [(id: String, part: Document.Part?, message: String)]

    init(_ creation: RandomCreation) {
        let document = creation.document
        text = document.text
        self.creation = creation
        said = compile(text: document.text).diagnostics.map {
            ($0.id, document.parts[$0.place.line], $0.message)
        }
    }

    func has(_ id: String, at part: Document.Part) -> Bool {
        said.contains { $0.id == id && $0.part == part }
    }

    /// The models concerned. A diagnostic about a relation concerns all models of the cycle.
    func models(_ ids: Set<String>) -> Set<Int> {
        said.filter { ids.contains($0.id) }.reduce(into: []) { models, said in
            switch said.part {
            case .model(let model): models.insert(model)
            case .field(_, let model):
                models.insert(model)
                models.formUnion(
                    creation.graph(of: model).filter { creation.graph(of: $0).contains(model) })
            case nil: Issue.record("\(said.id) is said of no model in \(text)")
            }
        }
    }

    /// The roles at the start of the message of `requiredNotWritable`.
    func rolesUnable(at part: Document.Part) -> Set<Int> {
        let message = said.first { $0.id == "requiredNotWritable" && $0.part == part }?.message
        let names = message?.prefix { $0 != "m" }.matches(of: /'g(\d)-d'/) ?? []
        return Set(names.compactMap { Int($0.output.1) })
    }

    var neverCreatable: [Document.Part] {
        said.filter { $0.id == "neverCreatable" }.compactMap(\.part)
    }
}

/// A brute-force simulation: every role pushes every set of records until nothing new is created.
extension RandomCreation {
    /// The models that can have records. Models that nobody may create count as populated.
    func created(oneByOne: Bool = false) -> Set<Int> {
        var there = Set(models.indices.filter { models[$0].creators.isEmpty })
        var before: Set<Int>
        repeat {
            before = there
            for role in roles {
                for batch in batches where !oneByOne || batch.count == 1 {
                    let others = oneByOne ? there : there.union(batch)
                    if batch.allSatisfy({ isAccepted($0, from: role, with: others) }) {
                        there.formUnion(batch)
                    }
                }
            }
        } while there != before
        return there
    }

    private var batches: [Set<Int>] {
        (1..<(1 << models.count)).map { bits in
            Set(models.indices.filter { bits & (1 << $0) != 0 })
        }
    }

    private func isAccepted(_ model: Int, from role: Int, with there: Set<Int>) -> Bool {
        models[model].creators.contains(role)
            && models[model].needed.allSatisfy { field in
                field.writers.contains(role) && field.target.map(there.contains) ?? true
            }
    }

    /// The model and all that its records require, transitively.
    func graph(of model: Int) -> Set<Int> {
        var all: Set<Int> = [model]
        var before: Set<Int>
        repeat {
            before = all
            for model in before where !models[model].creators.isEmpty {
                all.formUnion(models[model].needed.compactMap(\.target))
            }
        } while all != before
        return all
    }
}
