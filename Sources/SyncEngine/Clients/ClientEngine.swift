package import VersionTranslation

/// An engine for clients that were built with another version of the definition than the served
/// one.
///
/// The engine decides by the served definition. It shows what the client knows of it: a field that
/// the client does not know is hidden as one that its user may not read. Cursors say so, and a
/// client that is updated gets the records that look different to its new version, and no others.
package struct ClientEngine: Sendable {
    package let engine: Engine
    package let translation: ClientTranslation

    package init(engine: Engine, translation: ClientTranslation) {
        self.engine = engine
        self.translation = translation
    }

    /// The same engine, whose long reads each wait for a turn; see `Engine.taking`.
    package func taking(_ turns: any ReadTurns) -> ClientEngine {
        ClientEngine(engine: engine.taking(turns), translation: translation)
    }
}

extension Engine {
    /// Returns the engine for clients of another version that was deployed to the environment; nil
    /// if it never was.
    package func serving(client fingerprint: String) -> ClientEngine? {
        view.clients.translation(ofClient: fingerprint).map(clientEngine)
    }

    /// Returns the engine for clients of a version that was not deployed to the environment.
    package func serving(_ translation: ClientTranslation) -> ClientEngine {
        view.clients.keep(translation)
        return clientEngine(by: translation)
    }

    private func clientEngine(by translation: ClientTranslation) -> ClientEngine {
        ClientEngine(
            engine: reading(
                by: view.clients.rules(of: translation),
                fillable: translation.fillable(by: rules.fills)),
            translation: translation)
    }
}
