/// A pair of group and device category, on which credentials depend.
package struct Role: Hashable, Sendable {
    package let group: String
    package let deviceCategory: String

    package init(group: String, deviceCategory: String) {
        self.group = group
        self.deviceCategory = deviceCategory
    }

    /// The name in credentials and in the original clients: `users-mobile`.
    package var name: String { "\(group)-\(deviceCategory)" }
}
