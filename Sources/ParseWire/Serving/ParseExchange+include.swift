import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

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
        try await objects(
            of: found, model, including: parameters.includes, showing: parameters.shows,
            for: caller)
    }

    private func objects(
        of found: [FoundView], _ model: ModelRules, including includes: [[String]],
        showing shown: (String) -> Bool = { _ in true }, for caller: Caller
    ) async throws -> [[String: JSONValue]] {
        var builder = object
        var nextSteps: [String: [[String]]] = [:]
        for field in model.model.fields where shown(field.foreignName) {
            guard case .belongsTo(let relation) = field.type else { continue }
            let guids = Set(found.compactMap { $0.record.fields?[field.name]?.text })
            guard !guids.isEmpty else { continue }
            let steps = includes.filter { $0.first == field.foreignName || $0.first == "*" }
            if steps.isEmpty {
                try await addIDs(of: guids, relation.model, to: &builder, for: caller)
            } else {
                let next = steps.map { Array($0.dropFirst()) }.filter { !$0.isEmpty }
                nextSteps[field.foreignName] = next
                try await addObjects(
                    of: guids, relation.model, next, to: &builder, for: caller)
            }
        }
        return found.map { view in
            builder.members(
                of: view, in: model.model, showing: shown,
                including: { nextSteps[$0] != nil })
        }
    }

    /// Most ids are the guids, which need no look-up.
    private func addIDs(
        of guids: Set<String>, _ model: String, to builder: inout ParseObject,
        for caller: Caller
    ) async throws {
        let unknown = guids.filter {
            RecordNaming.mayStandForName($0)
                && builder.ids[RecordKey(model: model, guid: $0)] == nil
        }
        for view in try await records(
            withGuids: unknown, of: model, fields: [], for: caller)
        {
            builder.ids[RecordKey(model: model, guid: view.record.guid)] = view.id
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
            builder.included[key] = .includedObject(object, of: model.model.foreignName)
        }
    }
}

extension JSONValue {
    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
