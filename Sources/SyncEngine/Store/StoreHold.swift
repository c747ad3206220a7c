/// Something in a database that a process holds until it releases it, or ends.
package protocol StoreHold: Sendable {
    func release() async
}
