import AccessPolicy
import EngineKit
import SyncProtocol
import TestKit

/// Random read rights on the records and fields of `Documents.things`, with a naive implementation
/// of the rule.
struct RandomRights {
    private static let levels = ["ALL", "ALL", "ALL", "OWN", "GROUP", "NONE"]

    /// By model, or by model and field, then by group.
    private var records: [String: [String: String]] = [:]
    private var fields: [String: [String: String]] = [:]

    init(using random: inout SplitMix64) {
        for (model, list) in Documents.thingFields {
            records[model] = Self.some(using: &random)
            for field in list { fields["\(model).\(field.name)"] = Self.some(using: &random) }
        }
    }

    private static func some(using random: inout SplitMix64) -> [String: String] {
        ["users": random.one(of: levels) ?? "ALL", "guests": random.one(of: levels) ?? "ALL"]
    }

    var document: String {
        Documents.things { model in
            Documents.recordCredentials(
                users: records[model]?["users"] ?? "", guests: records[model]?["guests"] ?? "")
        } fields: { model, field in
            let levels = fields["\(model).\(field)"]
            return Documents.fieldCredentials(
                users: levels?["users"] ?? "", guests: levels?["guests"] ?? "")
        }
    }

    func shows(_ model: String, of owner: Person, to reader: Person) -> Bool {
        reaches(records[model], of: owner, to: reader)
    }

    func shows(_ field: String, of model: String, of owner: Person, to reader: Person) -> Bool {
        shows(model, of: owner, to: reader)
            && reaches(fields["\(model).\(field)"], of: owner, to: reader)
    }

    private func reaches(
        _ levels: [String: String]?, of owner: Person, to reader: Person
    ) -> Bool {
        switch levels?[reader.asker.group] {
        case "ALL": true
        case "OWN": owner.asker.login == reader.asker.login
        case "GROUP": owner.asker.group == reader.asker.group
        case _: false
        }
    }
}
