import Foundation
import JSON

/// Parameters as a form or the query of an address has them.
func formEncoded(_ members: [(name: String, value: String)]) -> String {
    members.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
        .joined(separator: "&")
}

/// The credentials of a client in a header: both are encoded as in a form first (RFC 6749, 2.3.1).
func basicAuthorization(_ clientID: String, _ secret: ClientSecret) -> String {
    let pair = "\(percentEncoded(clientID)):\(percentEncoded(secret.text))"
    return "Basic " + Data(pair.utf8).base64EncodedString()
}
