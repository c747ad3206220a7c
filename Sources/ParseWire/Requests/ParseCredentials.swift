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
    /// The keys of the app, under the names of all kinds of clients. The master key is none.
    let keys: Set<String>
    let masterKey: String?
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
        masterKey =
            value("X-Parse-Master-Key", "_MasterKey") ?? basicMasterKey(of: header("Authorization"))
        keys = Set(
            [
                value("X-Parse-REST-API-Key", "_RESTAPIKey"),
                value("X-Parse-Client-Key", "_ClientKey"),
                value("X-Parse-Javascript-Key", "_JavaScriptKey"),
                value("X-Parse-Windows-Key", "_WindowsKey"),
                basicKey(of: header("Authorization")),
            ].compactMap { $0 })
    }

    /// The kind of device on which the client runs; nil if its version does not tell.
    var deviceType: String? {
        ["i": "ios", "a": "android", "osx": "osx"].first { kind, _ in
            clientVersion.wholeMatch(of: /([a-z]+)[0-9].*/)?.1 == kind[...]
        }?.value
    }

    /// The id under which a repeat of the request gets the answer of the first; nil if the client
    /// sends one id with all requests of a running app, as the one for iOS does.
    var repeatID: String? {
        let isOneForAll = ["i", "osx", "apple-"].contains { clientVersion.hasPrefix($0) }
        return isOneForAll ? nil : requestID
    }
}

private func basicUser(of authorization: String?) -> String? {
    basicParts(of: authorization).first
}

/// The key in `APP:javascript-key=KEY`; nil for a master key.
private func basicKey(of authorization: String?) -> String? {
    let name = "javascript-key="
    guard let text = basicParts(of: authorization).dropFirst().first, text.hasPrefix(name) else {
        return nil
    }
    return String(text.dropFirst(name.count))
}

private func basicMasterKey(of authorization: String?) -> String? {
    guard basicKey(of: authorization) == nil else { return nil }
    let key = basicParts(of: authorization).dropFirst().first
    return key?.isEmpty == true ? nil : key
}

private func basicParts(of authorization: String?) -> [String] {
    guard let words = authorization?.split(separator: " "), words.count == 2,
        words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1]))
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        .map(String.init)
}
