import HTTPTypes
import Hummingbird
import NIOCore
package import SyncServer

/// The console: static pages, modules and styles at `/console`. They hold no data, so they need no
/// session; the modules fetch what they show from the administration, `/admin/v1`.
package struct ConsoleWire: Wire {
    private let edition = ConsoleEdition()

    package init() {}

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/console")
        routes.on(.get, "") { request, _ in respond(to: request, "pages/start.html") }
        for path in [":page", "in/:environment/:page"] {
            routes.on(.get, path) { request, context in
                let page = context.parameters.get("page") ?? ""
                return respond(to: request, "pages/\(page).html")
            }
        }
        for folder in ["modules", "styles", "images"] {
            routes.on(.get, "\(folder)/:name") { request, context in
                let name = context.parameters.get("name") ?? ""
                return respond(to: request, "\(folder)/\(name)")
            }
            // A page that was opened before the server was replaced asks for another edition: it
            // gets the present files, and does not keep them.
            routes.on(.get, "files/:edition/\(folder)/:name") { request, context in
                let name = context.parameters.get("name") ?? ""
                let isPresent = context.parameters.get("edition") == edition.name
                return respond(to: request, "\(folder)/\(name)", isKept: isPresent)
            }
        }
        return routes
    }

    /// Answers with a file, with status 304 if the browser has it, or with the page that says that
    /// there is none.
    private func respond(
        to request: Request, _ path: String, isKept: Bool = false
    ) -> Response {
        guard let document = edition.documents[path] else {
            guard let missing = edition.documents["pages/missing.html"] else {
                return Response(status: .notFound)
            }
            return response(.notFound, missing)
        }
        if request.headers[.ifNoneMatch] == document.tag {
            return Response(status: .notModified, headers: headers(of: document))
        }
        var found = response(.ok, document)
        if isKept { found.headers[.cacheControl] = "public, max-age=31536000, immutable" }
        return found
    }

    private func response(_ status: HTTPResponse.Status, _ document: ConsoleDocument) -> Response {
        Response(
            status: status, headers: headers(of: document),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.bytes)))
    }

    private func headers(of document: ConsoleDocument) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: document.contentType, .eTag: document.tag, .cacheControl: "no-cache",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: contentSecurityPolicy,
        ]
        for (name, value) in securityHeaders {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}

/// Allows files of this server only: no inline script or style, no markup from texts, and no frame
/// round a page.
let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
].joined(separator: "; ")

private let securityHeaders = [
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
]
