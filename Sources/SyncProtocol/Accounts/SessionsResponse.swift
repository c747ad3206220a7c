/// The response to `GET /v1/ENVIRONMENT/sessions`: the caller's open sessions.
package struct SessionsResponse: Codable, Hashable, Sendable {
    package struct SessionMessage: Codable, Hashable, Sendable {
        package var deviceIdentifier: String
        package var deviceCategory: String
        /// In milliseconds since 1970.
        package var expiresAt: Int64
        /// Whether the request was sent in this session.
        package var current: Bool

        package init(
            deviceIdentifier: String, deviceCategory: String, expiresAt: Int64, current: Bool
        ) {
            self.deviceIdentifier = deviceIdentifier
            self.deviceCategory = deviceCategory
            self.expiresAt = expiresAt
            self.current = current
        }
    }

    /// In the order of the devices.
    package var sessions: [SessionMessage]

    package init(sessions: [SessionMessage]) { self.sessions = sessions }
}
