/// The response to `GET /v1/ENVIRONMENT/providers`: those with which users sign in.
package struct ProvidersResponse: Codable, Hashable, Sendable {
    package struct ProviderMessage: Codable, Hashable, Sendable {
        package var name: String
        /// Whether browsers are sent to it; otherwise it is for ID tokens only.
        package var browser: Bool

        package init(name: String, browser: Bool) {
            self.name = name
            self.browser = browser
        }
    }

    /// In the order of the operator's file.
    package var providers: [ProviderMessage]

    package init(providers: [ProviderMessage]) { self.providers = providers }
}
