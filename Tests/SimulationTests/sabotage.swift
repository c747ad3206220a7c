import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import Synchronization

// Values with one change.

extension Facts {
    func with(
        outcomes: [String: StoredOutcome]? = nil, records: [String: StoredRecord]? = nil,
        history: [String: [HistoryEntry]]? = nil, unseenGraphs: Set<String>? = nil
    ) -> Facts {
        var facts = Facts(
            fingerprint: fingerprint, outcomes: outcomes ?? self.outcomes,
            records: records ?? self.records, history: history ?? self.history,
            openConflicts: openConflicts, holders: holders, purgedGuids: purgedGuids,
            unseenGraphs: unseenGraphs ?? self.unseenGraphs, files: files,
            unconfirmed: unconfirmed, shortage: shortage)
        facts.owners = owners
        facts.outcomeAmounts = outcomeAmounts
        facts.disputes = disputes
        return facts
    }
}

extension Facts {
    /// The history without the entries of other devices.
    func history(madeOn device: DeviceKey) -> [String: [HistoryEntry]] {
        history.mapValues { entries in
            entries.filter {
                $0.login == device.login && $0.deviceIdentifier == device.deviceIdentifier
            }
        }
    }

    var historyWithoutChangeIDs: [String: [HistoryEntry]] {
        history.mapValues { entries in
            entries.map {
                HistoryEntry(
                    guid: $0.guid, revision: $0.revision, kind: $0.kind, changeID: "",
                    login: $0.login, deviceCategory: $0.deviceCategory,
                    deviceIdentifier: $0.deviceIdentifier, at: $0.at, wasDeleted: $0.wasDeleted,
                    fieldsText: $0.fieldsText)
            }
        }
    }
}

extension ReadSet {
    /// Whether a deployment fills in values.
    var isOfDeployment: Bool { device.login.hasPrefix("deployment ") }
}

extension Facts {
    /// The history with what deployments filled in as edits.
    var historyWithEditsOfDeployments: [String: [HistoryEntry]] {
        history.mapValues { entries in
            entries.map {
                HistoryEntry(
                    guid: $0.guid, revision: $0.revision,
                    kind: $0.kind == .filled ? .updated : $0.kind,
                    changeID: $0.changeID, login: $0.login, deviceCategory: $0.deviceCategory,
                    deviceIdentifier: $0.deviceIdentifier, at: $0.at, wasDeleted: $0.wasDeleted,
                    fieldsText: $0.fieldsText)
            }
        }
    }
}

extension StoredRecord {
    /// The record without the value of a field.
    func without(_ field: String) -> StoredRecord {
        guard case .object(var fields)? = try? parseJSON(Array(fieldsText.utf8)) else {
            return self
        }
        fields[field] = nil
        var record = self
        record.fieldsText = JSONValue.object(fields).text
        return record
    }

    /// The record with other values; null removes one.
    func changingValues(_ change: (_ name: String, JSONValue) -> JSONValue) -> StoredRecord {
        guard case .object(let fields)? = try? parseJSON(Array(fieldsText.utf8)) else {
            return self
        }
        var changed: [String: JSONValue] = [:]
        for (name, value) in fields { changed[name] = change(name, value) }
        var record = self
        record.fieldsText = JSONValue.object(changed.filter { $0.value != .null }).text
        return record
    }
}

extension Change {
    func with(
        fields: [String: GivenValue]? = nil, onlyAsks: Bool? = nil, partOf whole: String?,
        isOfDeleted: Bool? = nil
    ) -> Change {
        Change(
            id: id, action: action, model: model, guid: guid, baseRevision: baseRevision,
            fields: fields ?? self.fields, isRefusedIfStale: isRefusedIfStale,
            isOfWholeRecord: isOfWholeRecord, followsPresent: followsPresent,
            onlyAsks: onlyAsks ?? self.onlyAsks, partOf: whole, name: name, filled: filled,
            isOfDeleted: isOfDeleted ?? self.isOfDeleted)
    }
}

extension [Change] {
    /// The same as if the first and the last of several updates of a record changed places.
    var exchangingUpdates: [Change] {
        var changes = self
        for places in Dictionary(grouping: indices, by: { self[$0].guid }).values {
            let updates = places.filter { self[$0].action == .update && !self[$0].onlyAsks }
            guard let first = updates.first, let last = updates.last else { continue }
            changes[first] = self[first].with(fields: self[last].fields, partOf: self[first].partOf)
            changes[last] = self[last].with(fields: self[first].fields, partOf: self[last].partOf)
        }
        return changes
    }
}

extension WriteSet {
    /// Gives a new revision to each record that a request of another wire only asks for.
    mutating func touchAskedRecords(of facts: Facts) {
        for outcome in outcomes where outcome.isTraceless && outcome.isOfRequest {
            guard let guid = try? outcome.outcome().guid, var record = facts.records[guid],
                !records.contains(where: { $0.guid == guid })
            else { continue }
            record.revision += 1
            records.append(record)
            history.append(
                HistoryEntry(
                    guid: guid, revision: record.revision, kind: .updated, changeID: "",
                    login: "", deviceCategory: "", deviceIdentifier: "", at: at,
                    wasDeleted: record.isDeleted, fieldsText: "{}"))
        }
    }
}

extension StoredOutcome {
    /// Whether it is that of a change of a request of several parts.
    var isOfRequest: Bool { changeID.hasPrefix("foreign-request-") }

    /// Whether it is that of a change which imports a deleted row.
    var isOfDeletedRow: Bool { changeID.hasPrefix("foreign-row-") }
}

extension WriteSet {
    func changing(to facts: Facts, _ change: (inout WriteSet) -> Void) -> WriteSet {
        var writes = self
        change(&writes)
        return writes
    }
}

extension Page {
    /// The page with the records at these indices only.
    func with(records kept: [Int]) -> Page {
        changed(records: kept.map { records[$0] }, pasts: kept.map { pasts[$0] })
    }

    func without(_ field: String) -> Page {
        changed(records: records.map { $0.without(field) }, pasts: pasts)
    }

    func changingRecords(_ change: (StoredRecord) -> StoredRecord) -> Page {
        changed(records: records.map(change), pasts: pasts)
    }

    func with(purgeHorizon: Int64) -> Page { changed(purgeHorizon: purgeHorizon) }

    func with(conflicts: [String: [StoredConflict]]) -> Page { changed(conflicts: conflicts) }

    var withoutMoves: Page {
        changed(
            pasts: pasts.map {
                RecordPast(created: $0.created, lastChanged: $0.lastChanged, ownershipChanges: [])
            })
    }

    private func changed(
        purgeHorizon: Int64? = nil, records: [StoredRecord]? = nil, pasts: [RecordPast]? = nil,
        conflicts: [String: [StoredConflict]]? = nil
    ) -> Page {
        Page(
            fingerprint: fingerprint, purgeHorizon: purgeHorizon ?? self.purgeHorizon,
            content: PageRecords(records ?? self.records, pasts ?? self.pasts),
            conflicts: conflicts ?? self.conflicts, lastSequence: lastSequence,
            lastScanned: lastScanned, scanned: scanned, bytes: bytes, hasMore: hasMore)
    }
}

extension OpenSession {
    func with(group: String? = nil, purgeHorizon: Int64? = nil) -> OpenSession {
        OpenSession(
            session: session, group: group ?? self.group, isAdmin: isAdmin,
            moment: EnvironmentMoment(
                deployment: moment.deployment, sequence: moment.sequence,
                purgeHorizon: purgeHorizon ?? moment.purgeHorizon),
            fingerprint: fingerprint)
    }
}

/// The group in which each session was seen first.
final class FirstGroups: Sendable {
    private let groups = Mutex<[[UInt8]: String]>([:])

    func recalling(_ session: OpenSession) -> OpenSession {
        let first = groups.withLock { groups in
            let token = session.session.tokenHash
            groups[token] = groups[token] ?? session.group
            return groups[token]
        }
        return session.with(group: first)
    }
}

extension Definition {
    func changingModels(_ change: (Model) -> Model) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models.map(change), writtenExtensions: writtenExtensions,
            digest: digest, fingerprint: fingerprint)
    }

    func changingRights(_ change: (ModelCredential) -> ModelCredential) -> Definition {
        changingModels { model in
            model.changed(
                credentials: RoleTable(model.credentials.map { ($0.key, change($0.value)) }))
        }
    }

    func changingFieldRights(_ change: (FieldCredential) -> FieldCredential) -> Definition {
        changingModels { model in
            model.changingFields { field in
                field.changed(
                    credentials: RoleTable(field.credentials.map { ($0.key, change($0.value)) }))
            }
        }
    }
}

extension Model {
    func changingFields(_ change: (Field) -> Field) -> Model { changed(fields: fields.map(change)) }

    func changed(
        mode: ConflictMode? = nil, fields: [Field]? = nil,
        credentials: RoleTable<ModelCredential>? = nil
    ) -> Model {
        Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: mode ?? conflictMode, fields: fields ?? self.fields,
            credentials: credentials ?? self.credentials, writtenExtensions: writtenExtensions,
            place: place)
    }
}

extension Field {
    func changed(
        isUnique: Bool? = nil, isLimited: Bool = true,
        credentials: RoleTable<FieldCredential>? = nil
    ) -> Field {
        Field(
            name: name, description: description, renamedFrom: renamedFrom,
            type: isLimited ? type : type.withoutLimits, isRequired: isLimited && isRequired,
            isUnique: isUnique ?? self.isUnique, defaultValue: defaultValue,
            credentials: credentials ?? self.credentials, writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }
}

extension FieldType {
    fileprivate var withoutLimits: FieldType {
        switch self {
        case .text: .text(TextLimits(maxLength: .max))
        case .integer: .integer(IntegerLimits(minValue: .min, maxValue: .max))
        case .decimal: .decimal(DecimalLimits(scale: DecimalNumber.maxDigits))
        case .date: .date(DateLimits())
        case .boolean, .belongsTo, .file: self
        }
    }
}

extension ModelCredential {
    func changed(
        read: AccessLevel? = nil, update: AccessLevel? = nil, delete: AccessLevel? = nil,
        resolve: Bool? = nil
    ) -> ModelCredential {
        ModelCredential(
            create: create, read: read ?? self.read, update: update ?? self.update,
            delete: delete ?? self.delete, resolvesConflicts: resolve ?? resolvesConflicts,
            place: place)
    }
}

extension FieldCredential {
    func changed(read: AccessLevel? = nil, update: AccessLevel? = nil) -> FieldCredential {
        FieldCredential(
            create: create, read: read ?? self.read, update: update ?? self.update, place: place)
    }
}
