import HTTPTypes

/// The other end of a connection: a client, or a trusted proxy with requests of many clients. Used
/// on the connection's event loop only.
final class ConnectionPeer {
    let state: ConnectionState
    /// Whether the connection is not one too many of its address.
    let isAdmitted: Bool
    /// The client that this connection counts for; nil if it does not.
    let countedClient: IPAddress?
    /// The address of a trusted proxy; nil for a client.
    private let proxy: IPAddress?
    private let proxies: TrustedProxies
    private let counts: ConnectionCounts
    /// The clients of the requests that a proxy has not got the responses to; nil if one was not
    /// counted.
    private var clients: [IPAddress?] = []

    init(
        _ address: IPAddress?, proxies: TrustedProxies, counts: ConnectionCounts,
        budget: MemoryBudget
    ) {
        let isProxy = address.map(proxies.contains) ?? false
        self.proxies = proxies
        self.counts = counts
        proxy = isProxy ? address : nil
        state = ConnectionState(budget: budget, client: address?.client)
        let client = isProxy ? nil : address?.client
        isAdmitted = client.map(counts.enter) ?? true
        countedClient = isAdmitted ? client : nil
    }

    var maxOfOne: Int { counts.maxOfOne }

    /// Returns false if a proxy's client has as many requests as it may have connections.
    ///
    /// - Parameter isNext: Whether all earlier requests were answered.
    func beginRequest(_ headers: HTTPFields, isNext: Bool) -> Bool {
        guard let proxy else { return true }
        let client = proxies.client(of: headers, from: proxy).client
        let isCounted = client != proxy.client
        let isAdmitted = !isCounted || counts.enter(client)
        clients.append(isCounted && isAdmitted ? client : nil)
        if isNext { state.begin(from: client) }
        return isAdmitted
    }

    func endRequest() {
        guard proxy != nil, !clients.isEmpty else { return }
        if let client = clients.removeFirst() { counts.leave(client) }
        state.begin(from: clients.first ?? proxy?.client)
    }

    /// The connection has closed: none of its requests is answered any more.
    func endRequests() {
        while !clients.isEmpty { endRequest() }
    }
}
