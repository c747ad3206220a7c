import Foundation
import JSON

/// The app, the user and the device that send a request.
struct ParseCredentials: Hashable, Sendable {
    /// The name of the environment. Empty if there is none.
    let applicationID: String
    /// As the client has it, with `r:`.
    let sessionToken: String?
    let installationID: String?
    let clientVersion: String
    let requestID: String?
    /// Of the app: the client key, the REST key, or that of another kind of client.
    let key: String?
}

extension ParseCredentials {
    /// Headers first, then members of the body, then `Authorization: Basic APP:…`.
    init(_ members: [String: JSONValue], header: (String) -> String?) {
        func value(_ name: String, _ member: String) -> String? {
            if let text = header(name), !text.isEmpty { return text }
            guard case .string(let text)? = members[member], !text.isEmpty else { return nil }
            return text
        }
        applicationID =
            value("X-Parse-Application-Id", "_ApplicationId")
            ?? basicUser(of: header("Authorization")) ?? ""
        sessionToken = value("X-Parse-Session-Token", "_SessionToken")
        installationID = value("X-Parse-Installation-Id", "_InstallationId")
        clientVersion = value("X-Parse-Client-Version", "_ClientVersion") ?? ""
        requestID = value("X-Parse-Request-Id", "_RequestId")
        key =
            value("X-Parse-Client-Key", "_ClientKey")
            ?? value("X-Parse-Javascript-Key", "_JavaScriptKey")
            ?? value("X-Parse-REST-API-Key", "") ?? value("X-Parse-Windows-Key", "")
    }

    /// The id under which a repeat of the request gets the answer of the first; nil if the client
    /// sends one id with all requests of a running app, as the one for iOS does.
    var repeatID: String? {
        let isOneForAll = ["i", "osx", "apple-"].contains { clientVersion.hasPrefix($0) }
        return isOneForAll ? nil : requestID
    }
}

private func basicUser(of authorization: String?) -> String? {
    guard let words = authorization?.split(separator: " "), words.count == 2,
        words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
        let user = String(decoding: data, as: UTF8.self).split(separator: ":").first
    else { return nil }
    return String(user)
}
