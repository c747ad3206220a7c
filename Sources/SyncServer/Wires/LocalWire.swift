import HTTPTypes
import Hummingbird

/// A wire for programs on this machine, and for the hosts that it is given. It refuses what a proxy
/// passes on for another host: such a request comes from a loopback address, and may have come from
/// anywhere.
package struct LocalWire: Wire {
    private let wire: any Wire
    private let isOffered: @Sendable (_ host: String) -> Bool

    /// - Parameter isOffered: Whether a proxy may offer the wire at a host, with or without a port.
    package init(_ wire: any Wire, isOffered: @escaping @Sendable (_ host: String) -> Bool) {
        self.wire = wire
        self.isOffered = isOffered
    }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = wire.routes(in: host)
        routes.handlers = routes.handlers.mapValues { $0.mapValues(local) }
        return routes
    }

    private func local(_ handler: @escaping WireRoutes.Handler) -> WireRoutes.Handler {
        { [isOffered] request, context in
            guard !request.isPassedOn || isOffered(request.head.authority ?? "") else {
                throw HTTPFailure.proxyUnknown()
            }
            return try await handler(request, context)
        }
    }
}

extension Request {
    /// The headers that proxies add, by canonical name.
    private static let headersOfProxies: Set<String> = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
    ]

    fileprivate var isPassedOn: Bool {
        headers.contains { Self.headersOfProxies.contains($0.name.canonicalName) }
    }
}

extension HTTPFailure {
    fileprivate static func proxyUnknown() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "proxyUnknown",
            "a proxy passed the request on, for a host that it may not offer",
            help: "use it on the server's machine, or name the origin in the setting adminOrigins")
    }
}
