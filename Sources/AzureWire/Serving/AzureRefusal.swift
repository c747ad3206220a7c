import ChangeRules
import HTTPTypes
import JSON

/// A request that is refused, in words for people.
struct AzureRefusal: Error {
    let status: HTTPResponse.Status
    let text: String
    /// The whole row that stands, which is the body of the answer then.
    var row: RefusedRow?
    var causes: [Cause] = []

    struct RefusedRow {
        let bytes: [UInt8]
        let version: RowVersion
    }

    init(_ status: HTTPResponse.Status, _ text: String) {
        self.status = status
        self.text = text
    }

    init(_ fault: QuestionFault) { self.init(.badRequest, fault.message) }

    /// The body in the shape of a generation.
    func body(_ dialect: ClientGeneration) -> [UInt8] {
        if let row { return row.bytes }
        var members: [String: JSONValue] =
            switch dialect {
            case .services:
                ["code": .integer(Int64(status.code)), "error": .string("Error: \(text)")]
            case .apps: ["error": .string(text)]
            case .datasync:
                [
                    "type": "about:blank", "status": .integer(Int64(status.code)),
                    "title": .string(text),
                ]
            }
        if !causes.isEmpty { members["causes"] = .array(causes.map(\.json)) }
        return Array(JSONValue.object(members).text.utf8)
    }

    func contentType(_ dialect: ClientGeneration) -> String {
        dialect == .datasync && row == nil ? "application/problem+json" : "application/json"
    }
}

extension AzureRefusal {
    /// The queue of some clients stops for good at every refusal but 409.
    func meant(for client: ClientTraits) -> AzureRefusal {
        let isKept = [401, 409, 412, 429, 500, 503, 507].contains(status.code)
        guard client.stopsAtRefusal, !isKept else { return self }
        var refusal = AzureRefusal(.conflict, text)
        refusal.causes = causes
        return refusal
    }
}
