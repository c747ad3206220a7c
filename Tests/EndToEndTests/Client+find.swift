import Foundation
import SyncProtocol

extension Client {
    /// Sends a query.
    func ask(
        forRecords path: String, _ parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        let query = try parameters.map { "\($0.key)=\(try encoded($0.value))" }
        return try await ask(
            "GET",
            "/v1/test/records/\(path)"
                + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    func ask(_ method: String, _ path: String, body: Data? = nil) async throws -> Answer {
        try await server.request(method, path, body: body, headers: headers)
    }

    /// Sends a query that must succeed.
    func find(
        _ model: String, _ parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> FindResponse {
        let answer = try await ask(forRecords: model, parameters)
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return try answer.message(as: FindResponse.self)
    }

    private func encoded(_ text: String) throws -> String {
        guard let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
            throw Unexpected("'\(text)' cannot be encoded")
        }
        return encoded
    }
}
