import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// Requests of several parts, and imports of deleted rows.

extension HistoryGenerator {
    /// Nil most of the time, and in histories without them.
    mutating func request(in world: World) -> Step? {
        guard scenario.hasRequests, random.chance(12) else { return nil }
        let models = world.server.rules.definition.models
        if random.chance(25) { return deletedRow(of: models, in: world) }
        let records = world.auditor.records.values.sorted { $0.stored.guid < $1.stored.guid }
        let done = world.doneRequests.values.sorted { $0.request.number < $1.request.number }
        if random.chance(40), let known = random.one(of: done) {
            let client = world.clients[known.client]
            return .request(
                client: known.client, again(known.request, by: client, on: records, of: models))
        }
        guard let client = random.one(of: world.clients.filter({ $0.session != nil })) else {
            return nil
        }
        let questions = (0...random.int(below: 2)).compactMap { _ in
            question(by: client, on: records, of: models)
        }
        guard !questions.isEmpty else { return nil }
        madeRequests += 1
        return .request(
            client: client.number, ForeignRequest(number: madeRequests, questions: questions))
    }

    /// A repeat finds other records by then, so that it may have other parts.
    private mutating func again(
        _ request: ForeignRequest, by client: Client, on records: [AuditedRecord],
        of models: [Model]
    ) -> ForeignRequest {
        guard random.chance(60) else { return request }
        return ForeignRequest(
            number: request.number,
            questions: request.questions.map {
                $0.with(parts(by: client, on: records, of: models))
            })
    }

    /// The record is sometimes deleted, and its revision not the present one.
    private mutating func question(
        by client: Client, on records: [AuditedRecord], of models: [Model]
    ) -> ForeignQuestion? {
        let present = records.filter { !$0.stored.isDeleted }
        guard let record = random.one(of: random.chance(10) ? records : present)?.stored else {
            return nil
        }
        let earlier = 1 + Int64(random.int(below: Int(record.revision)))
        let base = random.chance(50) ? nil : random.chance(60) ? record.revision : earlier
        return ForeignQuestion(
            guid: record.guid, model: record.model, base: base,
            parts: parts(by: client, on: present, of: models))
    }
}

// MARK: - Parts

extension HistoryGenerator {
    private mutating func parts(
        by client: Client, on records: [AuditedRecord], of models: [Model]
    ) -> [Draft] {
        var parts: [Draft] = []
        for _ in 0..<random.int(below: 4) {
            guard let part = part(after: parts.last, by: client, on: records, of: models) else {
                continue
            }
            parts.append(part)
        }
        return parts
    }

    /// Two values of one field tell in which order they were set.
    private mutating func part(
        after last: Draft?, by client: Client, on records: [AuditedRecord], of models: [Model]
    ) -> Draft? {
        if let last, last.action == .update, random.chance(50) {
            let field = last.fields.keys.first
            return update(last.guid, of: models.first { $0.name == last.model }, field, by: client)
        }
        if random.chance(25) { return creation(of: models, by: client) }
        guard let record = random.one(of: records)?.stored else { return nil }
        if random.chance(20) { return Draft(.delete, model: record.model, guid: record.guid) }
        let model = models.first { $0.name == record.model }
        return update(record.guid, of: model, random.one(of: model?.fields ?? [])?.name, by: client)
    }

    private mutating func update(
        _ guid: String, of model: Model?, _ name: String?, by client: Client
    ) -> Draft? {
        guard let model, let field = model.fields.first(where: { $0.name == name }),
            let value = value(of: field, by: client, nil, false)
        else { return nil }
        return Draft(.update, model: model.name, guid: guid, fields: [field.name: value])
    }

    private mutating func creation(of models: [Model], by client: Client) -> Draft? {
        guard let model = random.one(of: models) else { return nil }
        var fields: [String: JSONValue] = [:]
        for field in model.fields where field.isRequired || random.chance(40) {
            fields[field.name] = value(of: field, by: client, nil, false)
        }
        return Draft(.create, model: model.name, guid: freshGuid(by: client), fields: fields)
    }

    /// Unlike those of the records that the device makes itself.
    private mutating func freshGuid(by client: Client) -> String {
        madeRequests += 1
        return guid(ofRecord: 0x1000 + madeRequests, by: client.number)
    }
}

// MARK: - Deleted rows

extension HistoryGenerator {
    private mutating func deletedRow(of models: [Model], in world: World) -> Step? {
        let done = world.doneImports.values.sorted { $0.row.guid < $1.row.guid }
        if random.chance(40), let known = random.one(of: done) {
            return .deletedRow(client: known.client, known.row)
        }
        guard let client = random.one(of: world.clients), let model = random.one(of: models) else {
            return nil
        }
        var fields: [String: JSONValue] = [:]
        for field in model.fields where random.chance(70) {
            fields[field.name] =
                random.chance(50)
                ? forbiddenValue(of: field, by: client) : value(of: field, by: client, nil, false)
        }
        return .deletedRow(
            client: client.number,
            Draft(.create, model: model.name, guid: freshGuid(by: client), fields: fields))
    }

    /// A value beyond the limits, or a relation that leads nowhere; nil for other fields.
    private func forbiddenValue(of field: Field, by client: Client) -> JSONValue? {
        switch field.type {
        case .integer: .integer(1_000_000)
        case .belongsTo: .string(guid(ofRecord: 0xFFFF, by: client.number))
        case .text, .decimal, .boolean, .date, .file: nil
        }
    }
}
