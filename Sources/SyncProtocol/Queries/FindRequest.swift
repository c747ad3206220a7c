package import ChangeRules
import DefinitionModel
import Foundation
import JSON

/// `GET /v1/ENVIRONMENT/records/MODEL`: queries the records of a model.
package struct FindRequest: Hashable, Sendable {
    /// Nil for all records.
    package var filter: Filter?
    package var sort: [SortMessage]
    /// The fields to return; nil for all.
    package var fields: [String]?
    /// The maximum number of records to return.
    package var limit: Int?
    /// From the previous response; nil for the first page.
    package var cursor: String?
    /// Whether to count all matching records.
    package var counts: Bool

    package init(
        filter: Filter? = nil, sort: [SortMessage] = [], fields: [String]? = nil,
        limit: Int? = nil, cursor: String? = nil, counts: Bool = false
    ) {
        self.filter = filter
        self.sort = sort
        self.fields = fields
        self.limit = limit
        self.cursor = cursor
        self.counts = counts
    }

    /// A filter and its canonical text.
    package struct Filter: Hashable, Sendable {
        package let condition: QueryFilter
        /// Filters that differ only in white space or in string escapes have the same text.
        package let text: String

        /// Parses JSON.
        package init(_ text: String) throws(QueryFault) {
            let json: JSONValue
            do {
                json = try parseJSON(Array(text.utf8))
                self.text = try written(json)
            } catch DecodingError.dataCorrupted(let context) {
                throw .unreadableFilter(context.debugDescription)
            } catch {
                throw .unreadableFilter("\(error)")
            }
            condition = try QueryFilter(json, at: "filter")
        }
    }

    /// A sort key.
    package struct SortMessage: Hashable, Sendable {
        package var operand: String
        package var descends: Bool

        package init(_ operand: String, descends: Bool = false) {
            self.operand = operand
            self.descends = descends
        }
    }
}

/// `GET /v1/ENVIRONMENT/records/MODEL/GUID`
package struct RecordRequest: Hashable, Sendable {
    /// The fields to return; nil for all.
    package var fields: [String]?

    package init(fields: [String]? = nil) {
        self.fields = fields
    }

    /// `query` is the part of the URL after the question mark, percent-encoded.
    package init(query: String) throws(QueryFault) {
        fields = try QueryParameters(query, known: ["fields"])["fields"].map(names)
    }
}

/// The response to a query.
package struct FindResponse: Codable, Hashable, Sendable {
    package var records: [RecordMessage]
    /// Whether there may be more records; the next page starts at `cursor`.
    package var more: Bool
    /// For the next page; absent on the last page.
    package var cursor: String?
    /// The number of records on all pages, if requested.
    package var count: Int?

    package init(records: [RecordMessage], more: Bool, cursor: String?, count: Int?) {
        self.records = records
        self.more = more
        self.cursor = cursor
        self.count = count
    }
}

// MARK: - Reading

extension FindRequest {
    private static let parameters = ["filter", "sort", "fields", "limit", "cursor", "count"]

    /// `query` is the part of the URL after the question mark, percent-encoded.
    package init(query: String) throws(QueryFault) {
        let parameters = try QueryParameters(query, known: Self.parameters)
        filter = nil
        if let text = parameters["filter"] { filter = try Filter(text) }
        sort = parameters["sort"].map { names($0).map(SortMessage.init(written:)) } ?? []
        fields = parameters["fields"].map(names)
        limit = nil
        if let text = parameters["limit"] { limit = try number(text, of: "limit") }
        cursor = parameters["cursor"]
        counts = false
        if let text = parameters["count"] { counts = try flag(text, of: "count") }
    }
}

extension FindRequest.SortMessage {
    /// `price`, or `-price` for descending order.
    fileprivate init(written text: String) {
        self.init(
            text.hasPrefix("-") ? String(text.dropFirst()) : text, descends: text.first == "-")
    }
}

/// Empty for an empty text.
private func names(_ text: String) -> [String] {
    text.isEmpty
        ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
}

private func number(_ text: String, of name: String) throws(QueryFault) -> Int {
    guard let number = Int64(strict: text) else {
        throw .illegalParameter(name, text, help: "write a whole number")
    }
    return Int(number)
}

private func flag(_ text: String, of name: String) throws(QueryFault) -> Bool {
    guard text == "true" || text == "false" else {
        throw .illegalParameter(name, text, help: "write 'true' or 'false'")
    }
    return text == "true"
}

private func written(_ json: JSONValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(json), as: UTF8.self)
}
