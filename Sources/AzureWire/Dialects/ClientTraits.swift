/// The client of a request, as the request tells of it.
struct ClientTraits: Hashable, Sendable {
    let dialect: ClientGeneration
    /// Whether the request belongs to an offline queue or to a pull.
    let isOffline: Bool
    /// Whether the queue of the client stops for good at every refusal but 409 and 412.
    let stopsAtRefusal: Bool
    /// Whether links to further pages must be whole URLs.
    let wantsWholeLinks: Bool
    /// Whether the client leaves out columns whose value is false, zero or null, and cannot read
    /// null where its type has none.
    let omitsDefaults: Bool

    /// Every client of the first generation sends one of these. A token alone tells nothing: later
    /// clients may be told to send theirs in the same header.
    private static let headersOfServices = [
        "x-zumo-installation-id", "x-zumo-application", "x-zumo-version", "x-zumo-master",
        "x-zumo-features",
    ]

    /// - Parameters:
    ///   - method: Such as `GET`.
    ///   - path: The parts of the path after that of the environment.
    ///   - header: The value of a header, by its name in lower case.
    init(
        method: String, path: [String] = ["tables"], parameters: URLParameters,
        header: (String) -> String?
    ) throws(QuestionFault) {
        let version = header("zumo-api-version") ?? parameters["zumo-api-version"]
        let agent = header("user-agent") ?? ""
        switch version {
        case let version? where version.hasPrefix("2."): dialect = .apps
        case let version? where version.hasPrefix("3."): dialect = .datasync
        case let version?:
            throw QuestionFault("the version '\(version)' of ZUMO-API-VERSION is not served")
        case nil:
            // Callers of the first generation may replace rows too. They send more of these
            // headers than the installation, which an app of the third may name.
            let replaces =
                method == "PUT" && path.first?.lowercased() == "tables"
                && !Self.headersOfServices.dropFirst().contains { header($0) != nil }
            let isDatasync =
                replaces || agent.hasPrefix("Datasync/")
                || parameters.pairs.contains { ["$count", "__includedeleted"].contains($0.name) }
            let isSilent = !Self.headersOfServices.contains { header($0) != nil }
            dialect = isDatasync ? .datasync : isSilent ? Self.silent(method, at: path) : .services
        }
        let features = (header("x-zumo-features") ?? "").split(separator: ",").map {
            $0.filter { $0 != " " }
        }
        isOffline = features.contains("OL")
        let client = header("x-zumo-version") ?? ""
        stopsAtRefusal =
            isOffline && (client.contains("lang=Cordova") || client.contains("lang=Web"))
        wantsWholeLinks = !client.isEmpty
        // The Toolkit alone, in the third generation, does not say which client it is.
        omitsDefaults = dialect == .datasync && client.isEmpty
    }

    /// The generation of a client without any of these headers: the Toolkit, or the browser in
    /// which an app of an earlier one signs in.
    private static func silent(_ method: String, at path: [String]) -> ClientGeneration {
        guard method == "GET" else { return .datasync }
        if path.count > 1, path[0] == "login" { return .services }
        return path.count > 2 && path[..<2] == [".auth", "login"] ? .apps : .datasync
    }

    private init() {
        dialect = .apps
        isOffline = false
        stopsAtRefusal = false
        wantsWholeLinks = false
        omitsDefaults = false
    }

    /// The traits of a client that names a version which is not served.
    static let unknown = ClientTraits()
}
