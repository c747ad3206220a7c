import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// Changes of apps of other versions than the current one.

extension Auditor {
    /// Whether the current version takes a change that the version of its app takes. Without
    /// versions it does.
    func isServed(_ settled: SettledChange, to asker: Asker) -> Bool {
        guard isEvolving else { return true }
        let message = settled.message
        return goneFields(of: message).isEmpty && isTaken(message, asker)
    }

    /// A value of a field that is gone is refused by the name of the field, if nothing else stands
    /// against the change.
    func checkRefusedByName(
        _ settled: SettledChange, _ asker: Asker
    ) throws(InvariantViolation) {
        guard isEvolving, settled.message.action != .delete else { return }
        let gone = goneFields(of: settled.message)
        var rest = settled.message
        for name in gone { rest.fields[name] = nil }
        guard !gone.isEmpty, isTaken(rest, asker) else { return }
        let causes = settled.outcome.causes ?? []
        let isElse = causes.contains { refusalsThatNoDeviceForesees.contains($0.code) }
        let named = causes.filter { $0.code == "fieldNotServed" }.compactMap(\.field)
        guard isElse || named.sorted() == gone else {
            throw settled.violation(
                .goneFieldsAreRefusedByName,
                "sets '\(gone.joined(separator: "', '"))', which the current version lacks, and "
                    + "is told \(causes.map(\.code))")
        }
    }

    /// The app's fields that the current version does not have and that the change sets.
    private func goneFields(of message: ChangeMessage) -> [String] {
        guard let app, app.rules.model(named: message.model) != nil else { return [] }
        return message.fields.filter { name, value in
            value != .null && app.field(name, of: message.model) != nil
                && !app.has(name, of: message.model, inCommonWith: rules)
        }.keys.sorted()
    }

    /// Whether the app knows everything that the change names, and the rules of the current version
    /// allow it.
    private func isTaken(_ message: ChangeMessage, _ asker: Asker) -> Bool {
        guard let app, let model = rules.model(named: message.model),
            app.rules.model(named: message.model) != nil,
            message.fields.keys.allSatisfy({
                app.has($0, of: message.model, inCommonWith: rules)
            })
        else { return false }
        let isCreation = message.action == .create
        let causes = model.validator.causes(
            of: given(message.fields, in: model), creating: isCreation)
        let filled = served.filled[message.model] ?? []
        let faults = causes.filter { cause in
            !isCreation || !(cause.field.map(filled.contains) ?? false)
                || !mayLeaveOpen(cause.field, of: model)
        }
        return (message.action == .delete || faults.isEmpty) && isAllowed(message, asker)
    }

    private func isAllowed(_ message: ChangeMessage, _ asker: Asker) -> Bool {
        let own = Ownership(owner: asker.login, group: asker.group)
        let ownership = records[message.guid]?.stored.ownership ?? own
        let operations: [Operation] =
            switch message.action {
            case .create: [.create]
            case .update: [.update]
            case .delete: [.delete]
            case .resolve: [.update, .resolve]
            }
        return operations.allSatisfy {
            asker.may($0, .model(message.model), of: ownership, rules)
        }
            && message.fields.keys.allSatisfy {
                asker.may(
                    operations[0], .field($0, of: message.model), of: ownership, rules)
            }
    }
}

// MARK: - Responses after deployments and updates

/// How far a device had read when it got a cursor.
struct ReadingPoint: Sendable {
    let app: AppVersion?
    let group: String
    /// The numbers of deployments and of sweeps until then.
    let deployments: Int
    let sweeps: Int
}

extension Auditor {
    /// A device that had read everything continues where it was, whatever was deployed since and
    /// with whichever app. If only its app has been updated, it gets no record again that looks the
    /// same in the new version.
    ///
    /// - Parameters:
    ///   - then: The moment of the cursor that the response is about.
    ///   - now: The moment of the response.
    ///   - held: The records of the device.
    func check(
        _ response: SyncResponse, since then: ReadingPoint, at now: ReadingPoint,
        holding held: [String: RecordMessage]
    ) throws(InvariantViolation) {
        guard then.sweeps == now.sweeps else { return }
        guard !response.resync else {
            throw InvariantViolation(
                .updatesDownloadNothingAgain, "a device that had read everything starts over")
        }
        guard let new = now.app, let old = then.app,
            new.definition.fingerprint != old.definition.fingerprint,
            then.deployments == now.deployments, then.group == now.group
        else { return }
        for record in response.records
        where held[record.guid] == record && new.looks(like: old, record.model) {
            throw InvariantViolation(
                .updatesDownloadNothingAgain,
                "after an app update, \(record.summary) is sent again, and nothing is new in it")
        }
    }

    /// Every change of a device has an outcome, waits, or was given up since the creation of its
    /// record was refused.
    func checkEveryChangeIsKept(_ client: Client) throws(InvariantViolation) {
        let kept = Set((client.waiting + client.refused).map(\.message.id))
        for (name, change) in changes.sorted(by: { $0.key.summary < $1.key.summary })
        where change.outcome == nil && name.isOf(client.participant) && !kept.contains(name.id) {
            throw InvariantViolation(
                .clientKeepsWhatIsSaved, "\(name.summary) is lost before it has an outcome")
        }
    }
}

extension ChangeName {
    fileprivate func isOf(_ participant: Participant) -> Bool {
        login == participant.login && deviceIdentifier == participant.deviceIdentifier
    }
}

extension AppVersion {
    /// Whether records of a model have the same fields in both versions, of the same types and
    /// names. A device that had placeholders gets those records again.
    fileprivate func looks(like other: AppVersion, _ model: String) -> Bool {
        shape(of: model) == other.shape(of: model)
    }

    private func shape(of model: String) -> Set<[String]> {
        Set(
            (rules.model(named: model)?.model.fields ?? []).map {
                [
                    vocabulary.own(field: $0.name, of: model), $0.type.name.rawValue,
                    $0.isRequired ? "required" : "",
                ]
            } + [[vocabulary.own(model)]])
    }
}
