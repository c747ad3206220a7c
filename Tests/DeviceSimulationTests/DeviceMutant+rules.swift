import Foundation
import JSON
import Simulation
import SyncProtocol

extension DeviceMutant {
    static let all = queue + requests + answers
}

// MARK: - The queue

extension DeviceMutant {
    private static let queue = [
        DeviceMutant(
            "what comes overwrites what was not sent", breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER UPDATE OF server ON records WHEN NEW.server <> OLD.server BEGIN
                DELETE FROM changes WHERE guid = NEW.guid AND state = 'waiting'
                """),
        DeviceMutant(
            "a refused change is dropped", breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER UPDATE OF state ON changes WHEN NEW.state = 'refused' BEGIN
                DELETE FROM changes WHERE number = NEW.number
                """),
        DeviceMutant(
            "beginning anew drops what was not sent", breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER UPDATE OF is_marked ON records WHEN NEW.is_marked BEGIN
                DELETE FROM changes WHERE guid = NEW.guid AND state = 'waiting'
                """),
        DeviceMutant(
            "a removal takes back a creation that may have arrived",
            breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER INSERT ON changes WHEN NEW.action = 'delete' AND EXISTS (
                    SELECT 1 FROM changes
                    WHERE guid = NEW.guid AND action = 'create' AND state = 'sent')
                BEGIN DELETE FROM changes WHERE guid = NEW.guid
                """),
        DeviceMutant(
            "an update joins one that may have arrived", breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER INSERT ON changes WHEN NEW.action = 'update' AND EXISTS (
                    SELECT 1 FROM changes
                    WHERE guid = NEW.guid AND action = 'update' AND state = 'sent')
                BEGIN
                UPDATE changes SET fields = json_patch(fields, NEW.fields)
                WHERE guid = NEW.guid AND action = 'update' AND state = 'sent';
                DELETE FROM changes WHERE number = NEW.number
                """),
        DeviceMutant(
            "a hidden field is not set to null", breaks: [.clientKeepsWhatIsSaved],
            keysSetByWorkers: "ALL",
            trigger: """
                AFTER INSERT ON changes
                WHEN json_type(NEW.fields, '$.keys') = 'null' AND EXISTS (
                    SELECT 1 FROM records WHERE guid = NEW.guid AND server IS NOT NULL
                        AND json_type(server, '$.keys') IS NULL)
                BEGIN
                UPDATE changes SET fields = json_remove(fields, '$.keys')
                WHERE number = NEW.number
                """),
    ]
}

// MARK: - Requests

extension DeviceMutant {
    private static let requests = [
        DeviceMutant("repeated changes have another id", breaks: [.clientKeepsWhatIsSaved]) {
            $0.request = { request in
                for index in request.changes.indices {
                    request.changes[index].id += UUID().uuidString
                }
            }
            $0.response = { response in
                for index in response.outcomes.indices {
                    response.outcomes[index].id = String(response.outcomes[index].id.prefix(36))
                }
            }
        },
        DeviceMutant(
            "a removal does not say what it was made from", breaks: [.clientKeepsWhatIsSaved]
        ) {
            $0.request = { request in
                for index in request.changes.indices
                where request.changes[index].action == .delete {
                    request.changes[index].base = nil
                }
            }
        },
        DeviceMutant(
            "a change claims to be made from an older revision", breaks: [.conflictsAreReal]
        ) {
            $0.request = { request in
                for index in request.changes.indices {
                    request.changes[index].base = request.changes[index].base.map { max(1, $0 - 1) }
                }
            }
        },
        DeviceMutant("a null is not sent", breaks: [.clientKeepsWhatIsSaved]) {
            $0.request = { request in
                for index in request.changes.indices {
                    request.changes[index].fields = request.changes[index].fields
                        .filter { $0.value != .null }
                }
            }
        },
        DeviceMutant(
            "what follows a disputed change is taken for decided",
            breaks: [.nobodyOverwritesTheUnseen]
        ) {
            $0.request = { request in
                var guids: Set<String> = []
                for index in request.changes.indices
                where !guids.insert(request.changes[index].guid).inserted {
                    request.changes[index].base = nil
                }
            }
        },
    ]
}

// MARK: - Responses

extension DeviceMutant {
    private static let answers = [
        DeviceMutant(
            "the last record of an answer is not stored", breaks: [.clientHoldsWhatItGot]
        ) {
            $0.response = { response in
                if !response.records.isEmpty { response.records.removeLast() }
            }
        },
        DeviceMutant(
            "what is not theirs any more is kept", breaks: [.clientHoldsWhatItGot],
            trigger: "BEFORE DELETE ON records BEGIN SELECT RAISE(IGNORE)"),
        DeviceMutant("starting over drops no record", breaks: [.clientHoldsWhatItGot]) {
            $0.response = { $0.resync = false }
        },
        DeviceMutant(
            "the cursor is stored before the records",
            breaks: [.clientHoldsWhatItGot, .clientKeepsWhatIsSaved]
        ) {
            $0.firstSeed = 38
            $0.storedFirst = { response in
                "INSERT OR REPLACE INTO state (key, value) VALUES ('cursor', '\(response.cursor)')"
            }
        },
        DeviceMutant("an unreadable response ends the sync", breaks: [.clientGoesOn]) {
            $0.response = { response in
                if response.outcomes.count > 1 { response.outcomes.removeLast() }
            }
        },
    ]
}
