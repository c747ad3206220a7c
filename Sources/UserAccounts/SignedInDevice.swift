package import SyncEngine

/// A device on which a user is signed in, by one session or several.
package struct SignedInDevice: Hashable, Sendable {
    /// The place of a device in the list of all: by login, identifier and category, by their bytes.
    package struct ListPosition: Hashable, Sendable {
        package let login: String
        package let identifier: String
        package let category: String

        package init(login: String, identifier: String, category: String) {
            self.login = login
            self.identifier = identifier
            self.category = category
        }

        /// Every device comes after it.
        package static let start = ListPosition(login: "", identifier: "", category: "")
    }

    package let place: ListPosition
    /// The end of the session that ends last.
    package let expiresAt: Instant

    package init(place: ListPosition, expiresAt: Instant) {
        self.place = place
        self.expiresAt = expiresAt
    }
}

/// Asks for a part of the devices on which users of an environment are signed in.
package struct SignedInQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    /// The moment after which their sessions end.
    package let moment: Instant
    /// A part of the login or of the identifier, whatever the case of ASCII letters; empty for all.
    package let search: String
    package let after: SignedInDevice.ListPosition
    package let limit: Int

    package init(
        environment: EnvironmentID, at moment: Instant, search: String = "",
        after: SignedInDevice.ListPosition = .start, limit: Int
    ) {
        self.environment = environment
        self.moment = moment
        self.search = search
        self.after = after
        self.limit = limit
    }
}
