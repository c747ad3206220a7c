package import Hummingbird
package import SyncEngine

/// Another wire than the native one, spoken beside it at paths of its own. No rule lives in one.
package protocol ForeignWire: Sendable {
    /// Adds what it answers. Errors that are thrown there are answered in the native wire's shape,
    /// unless the wire has one of its own.
    func add(to router: Router<ConnectionContext>, with services: WireServices)
}

/// What every wire answers with.
package struct WireServices: Sendable {
    package let engine: Engine
    package let files: FileEngine
    package let notifications: NotificationEngine
    package let passwords: PasswordGuard
    package let uploads: UploadGuard
    package let bodies: BodyGuard
    /// The time of day, for what people read and for the ends of sessions.
    package let now: @Sendable () -> Instant

    /// For a whole small body to arrive, and for a piece of a large one.
    package var maxBodySeconds: Int { bodies.seconds }
}
