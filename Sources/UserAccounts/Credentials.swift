/// Login and password, with the device that signs in.
package struct Credentials: Hashable, Sendable {
    package let login: String
    package let password: String
    /// A device category of the definition, such as `mobile`. With the group of the user it makes
    /// the role.
    package let deviceCategory: String
    /// The permanent identifier of the installation: 1 to 128 bytes of visible ASCII.
    package let deviceIdentifier: String
    /// False if many devices have the identifier, since their clients send none. Then nobody is
    /// known by it: whoever tries passwords is a stranger.
    package let identifiesDevice: Bool

    package init(
        login: String, password: String, deviceCategory: String, deviceIdentifier: String,
        identifiesDevice: Bool = true
    ) {
        self.identifiesDevice = identifiesDevice
        self.login = login
        self.password = password
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }
}
