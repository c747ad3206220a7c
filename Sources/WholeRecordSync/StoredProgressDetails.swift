import JSON
package import SyncEngine

/// The part of a device's progress that a store keeps as one JSON text.
package struct StoredProgressDetails: Hashable, Sendable {
    package let formerTicket: SyncTicket?
    package let owedRecords: [String: String]

    /// Returns nil if there is nothing to keep.
    package static func text(of progress: DeviceProgress) -> String? {
        guard progress.formerTicket != nil || !progress.owedRecords.isEmpty else { return nil }
        var members: [String: JSONValue] = [
            "owedRecords": .object(progress.owedRecords.mapValues { .string($0) }),
            "version": .integer(StoredFormat.version),
        ]
        members["formerTicket"] = progress.formerTicket?.json
        return JSONText.text(of: members)
    }

    /// Reads a stored text; nil if there is none.
    package static func read(_ text: String?) throws(StoreError) -> StoredProgressDetails {
        guard let text else {
            return StoredProgressDetails(formerTicket: nil, owedRecords: [:])
        }
        let members = try StoredMembers(JSONText.value(text), of: "the progress of a device")
        try StoredFormat.checkVersion(of: members.members)
        var owedRecords: [String: String] = [:]
        for (guid, ticket) in try members.object("owedRecords") {
            guard case .string(let ticket) = ticket else { throw members.missing("owedRecords") }
            owedRecords[guid] = ticket
        }
        let ticket = members.members["formerTicket"].flatMap { $0 == .null ? nil : $0 }
        guard let ticket else {
            return StoredProgressDetails(formerTicket: nil, owedRecords: owedRecords)
        }
        return StoredProgressDetails(
            formerTicket: try SyncTicket(stored: StoredMembers(ticket, of: "a stored ticket")),
            owedRecords: owedRecords)
    }
}

extension SyncTicket {
    fileprivate init(stored members: StoredMembers) throws(StoreError) {
        var rejection: SyncRejection?
        if let json = members.members["rejection"], json != .null {
            rejection = try SyncRejection(stored: json)
        }
        self.init(
            text: try members.text("text"), startsOver: try members.flag("startsOver"),
            rejection: rejection, deliveries: try members.integer("deliveries"),
            delivered: try members.optionalText("delivered"))
    }

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "text": .string(text), "startsOver": .boolean(startsOver),
            "deliveries": .integer(deliveries),
        ]
        members["rejection"] = rejection?.json
        members["delivered"] = delivered.map { .string($0) }
        return .object(members)
    }
}
