/// Who someone is to a definition: a pair of group and device category.
package struct Role: Hashable, Sendable {
    package let group: String
    package let deviceCategory: String

    package init(group: String, deviceCategory: String) {
        self.group = group
        self.deviceCategory = deviceCategory
    }

    /// As credentials and the original clients name it: `users-mobile`.
    package var name: String { "\(group)-\(deviceCategory)" }
}
