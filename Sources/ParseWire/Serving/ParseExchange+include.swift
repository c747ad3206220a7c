import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// Objects as they are answered, with those that they point to.
extension ParseExchange {
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
        var builder = ParseObject(link: link)
        var nextSteps: [String: [[String]]] = [:]
        for field in model.model.fields where shown(field.name) {
            guard case .belongsTo(let relation) = field.type else { continue }
            let guids = Set(found.compactMap { $0.record.fields?[field.name]?.text })
            guard !guids.isEmpty else { continue }
            let steps = includes.filter { $0.first == field.name || $0.first == "*" }
            if steps.isEmpty {
                try await addIDs(of: guids, relation.model, to: &builder, for: caller)
            } else {
                nextSteps[field.name] = steps.map { Array($0.dropFirst()) }.filter { !$0.isEmpty }
                try await addObjects(
                    of: guids, relation.model, nextSteps[field.name] ?? [], to: &builder,
                    for: caller)
            }
        }
        return found.map { view in
            builder.members(
                of: view, in: model.model, showing: shown,
                including: { nextSteps[$0] != nil })
        }
    }

    private func addIDs(
        of guids: Set<String>, _ className: String, to builder: inout ParseObject,
        for caller: Caller
    ) async throws {
        let known = guids.filter { builder.ids[RecordKey(model: className, guid: $0)] == nil }
        for view in try await records(
            withGuids: known, of: className, fields: [], for: caller)
        {
            builder.ids[RecordKey(model: className, guid: view.record.guid)] = view.id
        }
    }

    private func addObjects(
        of guids: Set<String>, _ className: String, _ includes: [[String]],
        to builder: inout ParseObject, for caller: Caller
    ) async throws {
        let views = try await records(
            withGuids: guids, of: className, fields: nil, for: caller)
        let objects = try await objects(
            of: views, try model(className), including: includes, for: caller)
        for (view, object) in zip(views, objects) {
            let key = RecordKey(model: className, guid: view.record.guid)
            builder.included[key] = .includedObject(object, of: className)
        }
    }
}

extension JSONValue {
    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
