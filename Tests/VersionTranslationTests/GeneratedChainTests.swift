import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import Testing
import VersionTranslation

/// Every sequence of two changes of a definition, and a third one after which names or fields are
/// others again, with clients of three versions before the served one up to one after it. A field
/// has the same identity in all versions, whatever its name; one that others were merged into has
/// theirs too.
@Suite struct GeneratedChainTests {
    enum Step: CaseIterable {
        case nothing, renameModel, renameField, renameAllKeeping
        case addField, removeField, restoreField
        case widenType, changeType, require, release, narrowLimit, loosenLimit, setDefault
        case toggleUnique, mergeFields
        case addModel, removeModel, restoreModel, retarget
    }

    @Test(arguments: Step.allCases, Step.allCases)
    func clientIsServedInItsWords(first: Step, second: Step) throws {
        for third in [Step.renameAllKeeping, .restoreField] {
            let chain = try Chain([first, second, third])
            for served in chain.versions.indices {
                for client in max(0, served - 3)...min(served + 1, chain.versions.count - 1) {
                    try chain.pair(client: client, served: served).check()
                }
            }
        }
    }
}

// MARK: - Versions

/// A definition with a model that changes step by step, and models that come and go.
private struct Chain {
    private(set) var versions: [Definition] = []
    private var states: [ChainState] = []
    private var made = 0

    init(_ steps: [GeneratedChainTests.Step]) throws {
        var state = ChainState()
        for (type, isRequired, value) in [
            ("INTEGER", true, nil), ("INTEGER", false, "3"), ("DECIMAL", true, nil),
            ("TEXT", false, nil),
        ] as [(String, Bool, String?)] {
            var field = fresh(type)
            (field.isRequired, field.defaultText) = (isRequired, value)
            state.fields.append(field)
        }
        // The second step may take these away.
        (state.fields[1].isNarrow, state.fields[1].isUnique) = (true, true)
        state.fields.append(fresh("BELONGS_TO"))
        try add(state)
        for (number, step) in steps.enumerated() {
            advance(&state, by: step, number)
            try add(state)
        }
    }

    func pair(client: Int, served: Int) throws -> VersionPair {
        let path = try #require(
            VersionPath(
                from: versions[client].fingerprint, to: versions[served].fingerprint,
                along: versions))
        return VersionPair(
            client: states[client], served: states[served],
            translation: ClientTranslation(of: versions[client], along: path))
    }

    private mutating func fresh(_ type: String = "INTEGER") -> ChainField {
        made += 1
        return ChainField(identities: [made], name: "f\(made)", type: type)
    }

    private mutating func add(_ state: ChainState) throws {
        states.append(state)
        versions.append(
            Definition(
                application: "a", vendor: "v", conflictMode: .manual,
                deviceCategories: ["mobile"], groups: ["users"], roles: [role],
                models: try version(state.text).models, digest: "\(versions.count)"))
    }

    /// The first and the third step are about the same field.
    private mutating func advance(
        _ state: inout ChainState, by step: GeneratedChainTests.Step, _ number: Int
    ) {
        let place = number % 2
        // An attribute says what was renamed in this version only, or since the beginning.
        if step != .renameAllKeeping { state.forgetNames() }
        switch step {
        case .nothing: break
        case .renameModel: state.renameModel(number)
        case .renameField: state.fields[place].rename(number)
        case .renameAllKeeping:
            state.renameModel(number)
            for index in state.fields.indices { state.fields[index].rename(number) }
        case .addField: state.fields.append(fresh())
        case .removeField: state.goneFields.append(state.fields.remove(at: place))
        case .restoreField: if let gone = state.goneFields.popLast() { state.fields.append(gone) }
        case .widenType: state.fields[place].widen()
        case .changeType: state.fields[place].changeType()
        case .require: state.fields[place].isRequired = true
        case .release: state.fields[place].isRequired = false
        case .narrowLimit: state.fields[place].isNarrow = true
        case .loosenLimit:
            for index in state.fields.indices { state.fields[index].isNarrow = false }
        case .toggleUnique: state.fields[place].isUnique.toggle()
        case .mergeFields: state.mergeFields(into: place)
        case .setDefault: state.fields[place].setDefault()
        case .addModel: state.others.append("x\(number)")
        case .removeModel: if let gone = state.others.popLast() { state.goneModels.append(gone) }
        case .restoreModel: if let gone = state.goneModels.popLast() { state.others.append(gone) }
        case .retarget:
            for index in state.fields.indices { state.fields[index].isOfItself.toggle() }
        }
    }
}

private struct ChainState {
    var model = "m0"
    var earlierModels: [String] = []
    var fields: [ChainField] = []
    var goneFields: [ChainField] = []
    var others = ["side"]
    var goneModels: [String] = []

    /// As `version` reads it.
    var text: String {
        let earlier = earlierModels.isEmpty ? "" : "<\(earlierModels.joined(separator: " "))"
        let own = "\(model)\(earlier): \(fields.map { $0.text(in: model) }.joined(separator: ", "))"
        return ([own] + others.map { "\($0): note TEXT" }).joined(separator: "\n")
    }

    mutating func forgetNames() {
        earlierModels = []
        for index in fields.indices { fields[index].earlier = [] }
    }

    /// Merges the first other field whose values the field can hold, if there is one.
    mutating func mergeFields(into place: Int) {
        let own = fields[place]
        let types = own.type == "DECIMAL" ? ["DECIMAL", "INTEGER"] : [own.type]
        let found = fields.indices.first { $0 != place && types.contains(fields[$0].type) }
        guard let index = found else { return }
        let other = fields[index]
        fields[place].identities += other.identities
        fields[place].earlier += [other.name] + other.earlier
        fields.remove(at: index)
    }

    mutating func renameModel(_ number: Int) {
        earlierModels.append(model)
        model = "m\(number + 1)"
    }
}

private struct ChainField {
    /// Its own, and those of the fields that were merged into it.
    var identities: [Int]
    var name: String
    var earlier: [String] = []
    var type: String
    var isRequired = false
    var defaultText: String?
    /// Whether numbers are at most 5.
    var isNarrow = false
    var isUnique = false
    /// Whether a relation is one to the model of the field, and not to another one.
    var isOfItself = true

    init(identities: [Int], name: String, type: String) {
        self.identities = identities
        self.name = name
        self.type = type
    }

    func text(in model: String) -> String {
        name + (earlier.isEmpty ? "" : "<\(earlier.joined(separator: " "))") + " \(type)"
            + (type == "BELONGS_TO" ? "@\(isOfItself ? model : "side")" : "")
            + (isRequired ? "!" : "") + (isUnique ? "^" : "")
            + (isNarrow && type != "TEXT" ? "#5" : "") + (defaultText.map { "=\($0)" } ?? "")
    }

    mutating func rename(_ number: Int) {
        earlier.append(name)
        name = "f\(identities[0])v\(number)"
    }

    mutating func widen() { if type == "INTEGER" { type = "DECIMAL" } }

    mutating func changeType() {
        type = type == "TEXT" ? "INTEGER" : "TEXT"
        defaultText = nil
    }

    mutating func setDefault() { defaultText = type == "TEXT" ? "t" : "3" }
}

// MARK: - Expected values

extension ChainField {
    /// A stored value, which no other type but that of whole numbers has.
    var stored: JSONValue { type == "INTEGER" ? 7 : type == "DECIMAL" ? "7.5" : "stored" }

    /// A value that a user sets.
    var written: JSONValue { type == "INTEGER" ? 4 : type == "DECIMAL" ? "2.5" : "written" }

    /// The value that a new record has in the field.
    var initial: JSONValue {
        switch type {
        case "INTEGER": defaultText == nil ? 0 : 3
        case "DECIMAL": defaultText == nil ? "0" : "3"
        default: .string(defaultText ?? "")
        }
    }

    var blank: JSONValue { isRequired ? initial : .null }

    /// The value that a client with this field reads of a served one.
    func reading(_ value: JSONValue, of served: ChainField) -> JSONValue {
        guard value != .null, isCompatible(with: served) else { return blank }
        switch (served.type, type) {
        case ("DECIMAL", "INTEGER"): return blank
        case ("INTEGER", "DECIMAL"): return "7"
        default: return value
        }
    }

    func isCompatible(with other: ChainField) -> Bool {
        values == other.values
    }

    /// The kind of its values.
    private var values: String {
        switch type {
        case "BELONGS_TO": isOfItself ? "own records" : "other records"
        case "INTEGER", "DECIMAL": "numbers"
        default: type
        }
    }
}

/// A client's version and the served one.
private struct VersionPair {
    let client: ChainState
    let served: ChainState
    let translation: ClientTranslation

    func check() throws {
        let model = try #require(translation.model(calledByClient: client.model))
        #expect(model.served.name == served.model)
        #expect(translation.model(servedAs: served.model)?.client.name == client.model)
        checkNames(model)
        checkReading()
        checkWriting(model)
        checkRefusals()
        checkOtherModels()
        let reduced = try #require(
            translation.reduced.models.first { $0.name == served.model })
        #expect(reduced.fields.allSatisfy { model.field(servedAs: $0.name) != nil })
    }

    /// The served field that a client's field stands for. Among fields that were merged, the one
    /// counts that has the name still, or the first.
    private func counterpart(of field: ChainField) -> ChainField? {
        guard let target = target(of: field) else { return nil }
        let merged = client.fields.filter { self.target(of: $0)?.name == target.name }
        let chosen = merged.first { $0.name == target.name } ?? merged.first
        return chosen?.name == field.name ? target : nil
    }

    /// The served field with the values of a client's field. A field that others were merged into
    /// is its own again in an earlier version.
    private func target(of field: ChainField) -> ChainField? {
        let targets = field.identities.lazy.compactMap { identity in
            served.fields.first { $0.identities.contains(identity) }
        }
        return targets.first.flatMap { field.isCompatible(with: $0) ? $0 : nil }
    }

    private func knownField(of field: ChainField) -> ChainField? {
        client.fields.first { counterpart(of: $0)?.name == field.name }
    }

    private func checkNames(_ model: ModelTranslation) {
        for field in client.fields {
            let expected = counterpart(of: field)
            let found = model.field(calledByClient: field.name)
            #expect(found?.served.name == expected?.name, "\(field) in \(served)")
            #expect(model.unserved.contains { $0.name == field.name } == (expected == nil))
            guard let found, let expected else { continue }
            #expect(found.served.isRequired == expected.isRequired)
            let isRefused = !found.served.type.violations(of: .integer(9)).isEmpty
            #expect(isRefused == (expected.isNarrow && expected.type == "INTEGER"))
            #expect(found.served.isUnique == expected.isUnique)
        }
        for field in served.fields {
            #expect(
                model.field(servedAs: field.name)?.client.name == knownField(of: field)?.name)
        }
    }

    /// A record with a value in each field, and one without any.
    private func checkReading() {
        for isEmpty in [false, true] {
            let stored = { (field: ChainField) in isEmpty ? JSONValue.null : field.stored }
            let record = RecordView(
                model: served.model, guid: "g", revision: 1, owner: "a", group: "users",
                isDeleted: false, isConflicted: false,
                fields: named(served.fields) { ($0.name, stored($0)) })
            let view = translation.clientView(of: record, for: asker)
            let expected = named(client.fields) { field in
                let counterpart = counterpart(of: field)
                return (
                    field.name,
                    counterpart.map { field.reading(stored($0), of: $0) } ?? field.blank
                )
            }
            #expect(view?.model == client.model && view?.fields == expected)
        }
    }

    private func checkWriting(_ model: ModelTranslation) {
        for field in client.fields {
            let known = counterpart(of: field)
            let refused: [String: JSONValue] = [field.name: .array([])]
            for isNew in [true, false] {
                #expect(
                    model.servedFields([field.name: field.written], isNew: isNew)
                        == known.map { [$0.name: field.written] } ?? refused)
                #expect(
                    model.servedFields([field.name: .null], isNew: isNew)
                        == known.map { [$0.name: JSONValue.null] } ?? [:])
            }
            guard known == nil, field.isRequired || field.defaultText != nil else { continue }
            let initial = [field.name: field.initial]
            #expect(model.servedFields(initial, isNew: true) == [:])
            #expect(model.servedFields(initial, isNew: false) == refused)
        }
    }

    /// The code and the field of a refusal, in the words of the client.
    private func told(_ cause: Cause, _ model: String) -> [String?] {
        let outcome = translation.clientOutcome(
            Outcome(changeID: "1", kind: .refused, model: "", guid: "g", causes: [cause]),
            ofModel: model)
        return outcome.causes.flatMap { [CauseDescription($0).code, $0.field] }
    }

    /// A field of another type under the same name is told as the one that is gone.
    private func unknown(_ field: ChainField) -> [String?] {
        client.fields.contains { $0.name == field.name }
            ? ["fieldNotServed", field.name] : ["versionTooOld", nil]
    }

    private func checkRefusals() {
        for field in served.fields {
            let known = knownField(of: field)
            let causes = [
                ("tooLong", Cause(.limit(.tooLong(max: 5)), field: field.name)),
                ("notUnique", Cause(.notUnique, field: field.name)),
            ]
            for (code, cause) in causes {
                #expect(
                    told(cause, client.model) == (known.map { [code, $0.name] } ?? unknown(field)))
            }
        }
        for field in client.fields where counterpart(of: field) == nil {
            let cause = Cause(.unknownField(field.name), field: field.name)
            #expect(told(cause, client.model) == ["fieldNotServed", field.name])
        }
    }

    private func checkOtherModels() {
        for name in client.others {
            let isServed = served.others.contains(name)
            #expect(translation.model(calledByClient: name)?.served.name == (isServed ? name : nil))
            #expect(translation.clientName(ofStored: name) == name)
            guard !isServed else { continue }
            #expect(translation.servedModel(name) == "~\(name)")
            #expect(told(Cause(.unknownModel("~\(name)")), name) == ["modelNotServed", nil])
        }
        for name in served.others where !client.others.contains(name) {
            #expect(translation.model(servedAs: name) == nil)
            #expect(translation.clientName(ofStored: name) == nil)
        }
    }

    private func named(
        _ fields: [ChainField], _ member: (ChainField) -> (String, JSONValue)
    ) -> [String: JSONValue] {
        Dictionary(fields.map(member), uniquingKeysWith: { first, _ in first })
    }
}

private let asker = Asker(login: "a", group: "users", role: role)
