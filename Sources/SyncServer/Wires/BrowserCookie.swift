import HTTPTypes
package import Hummingbird
import Secrets

/// The cookie by which a browser is known when it returns from a provider.
package struct BrowserCookie: Hashable, Sendable {
    /// Whether browsers reach the server by HTTPS.
    private let isSecure: Bool

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// One that only this host can set where browsers know HTTPS.
    private var name: String { (isSecure ? "__Host-" : "") + "waggle-sign-in" }

    /// The secret of the browser; nil if it has no such cookie.
    package func secret(of request: Request) -> String? {
        request.cookie(named: name).flatMap { Self.isSecret($0) ? $0 : nil }
    }

    /// Sends a browser to an address, with the secret by which it is known for some time.
    package func redirect(to address: String, with secret: String, seconds: Int64) -> Response {
        var response = Response.privateRedirect(to: address)
        response.headers[.setCookie] =
            "\(name)=\(secret); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(seconds)"
            + (isSecure ? "; Secure" : "")
        return response
    }

    /// Whether a text has the form of 32 bytes in URL-safe Base64.
    package static func isSecret(_ text: String) -> Bool {
        text.utf8.count == 43 && URLSafeBase64.bytes(of: text) != nil
    }
}

extension Response {
    /// Sends a browser to an address with secrets, which no other page may learn.
    package static func privateRedirect(to address: String) -> Response {
        Response(
            status: .seeOther,
            headers: [
                .location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer",
            ])
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .cacheControl
}
