import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine
import SyncServer
import UserAccounts

/// Objects as they are answered, with those that they point to.
extension ParseExchange {
    /// Without records that objects point to.
    var object: ParseObject {
        ParseObject(link: link, classNames: ClassNames(definition), relations: relations)
    }

    func objects(
        of found: [FoundView], _ parameters: ParseParameters, _ model: ModelRules,
        for caller: Caller
    ) async throws -> [[String: JSONValue]] {
        let innerKeys = parameters.innerKeys
        return try await objects(
            of: found, model, including: parameters.includes + innerKeys.includes,
            showing: parameters.shows, for: caller
        ).map(innerKeys.applied)
    }

    private func objects(
        of found: [FoundView], _ model: ModelRules, including includes: [[String]],
        showing shown: (String) -> Bool = { _ in true }, for caller: Caller
    ) async throws -> [[String: JSONValue]] {
        var builder = object
        if model.model.foreignName == Self.userClass, shown("email"),
            found.contains(where: { $0.record.owner.hasSameBytes(as: caller.login) })
        {
            let user = try await exchange.environment.accounts.ownUser(of: caller)
            builder.account = (caller.login, user?.mail ?? "")
        }
        var nextSteps: [String: [[String]]] = [:]
        for field in model.model.fields where shown(field.foreignName) {
            let steps = includes.steps(after: field.foreignName)
            if !steps.isEmpty { nextSteps[field.foreignName] = steps }
            let values = Set(found.compactMap { $0.record.fields?[field.name]?.text })
            guard !values.isEmpty else { continue }
            if case .belongsTo(let relation) = field.type {
                if steps.isEmpty {
                    try await addIDs(of: values, relation.model, to: &builder)
                } else {
                    try await addObjects(
                        of: values, relation.model, steps.filter { !$0.isEmpty }, to: &builder,
                        for: caller)
                }
            } else if field.type.format?.kind == .json, !steps.isEmpty {
                try await addPointed(
                    in: values.compactMap { JSONValue(formatted: $0) }, steps, to: &builder,
                    for: caller)
            }
        }
        let objects = found.map { view in
            builder.members(of: view, in: model.model, showing: shown, including: nextSteps)
        }
        guard builder.includedBytes <= AnswerBudget.mostBytes else { throw ParseFailure.tooMuch }
        return objects
    }

    /// A pointer has the same id for everybody, and for good: also one to an object that was
    /// deleted or that the caller does not see.
    private func addIDs(
        of guids: Set<String>, _ model: String, to builder: inout ParseObject
    ) async throws {
        let unknown = guids.filter { builder.ids[RecordKey(model: model, guid: $0)] == nil }
        for (guid, id) in try await exchange.engine.names(of: unknown.sorted()) {
            builder.ids[RecordKey(model: model, guid: guid)] = id
        }
    }

    /// The objects to stand in place of pointers inside values of JSON. Pointers to what the caller
    /// does not see stay as they are.
    private func addPointed(
        in values: [JSONValue], _ steps: [[String]], to builder: inout ParseObject,
        for caller: Caller
    ) async throws {
        var next: [ParsePointer: [[String]]] = [:]
        for value in values {
            _ = value.replacingPointers(along: steps) { pointer, steps in
                next[pointer, default: []] += steps.filter { !$0.isEmpty }
                return nil
            }
        }
        guard next.count <= AnswerBudget.mostPointers else { throw ParseFailure.tooMuch }
        let records = try await records(of: Set(next.keys))
        for (className, pointers) in Dictionary(grouping: next.keys, by: \.className) {
            guard let model = rules(ofClass: className)?.model.name else { continue }
            let steps = Set(pointers.flatMap { next[$0] ?? [] })
            let guids = Set(pointers.compactMap { records.guid(of: $0) })
            try await addObjects(of: guids, model, Array(steps), to: &builder, for: caller)
            for pointer in pointers {
                builder.pointed[pointer] = records.guid(of: pointer).map {
                    RecordKey(model: model, guid: $0)
                }
            }
        }
    }

    private func addObjects(
        of guids: Set<String>, _ name: String, _ includes: [[String]],
        to builder: inout ParseObject, for caller: Caller
    ) async throws {
        guard let model = engine.rules.model(named: name) else { return }
        let views = try await records(withGuids: guids, of: name, fields: nil, for: caller)
        let objects = try await objects(of: views, model, including: includes, for: caller)
        for (view, object) in zip(views, objects) {
            let key = RecordKey(model: name, guid: view.record.guid)
            builder.included[key] = ParseObject.Included(object, of: model.model.foreignName)
        }
    }
}

extension JSONValue {
    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
