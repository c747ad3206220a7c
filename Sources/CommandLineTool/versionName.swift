import DefinitionModel
import SyncEngine

/// The name of a version for people: the digest, which clients know too, and the fingerprint if it
/// differs.
func versionName(of definition: Definition) -> String {
    versionName(digest: definition.digest, fingerprint: definition.fingerprint)
}

/// The name of the environment's current version.
func versionName(of state: EnvironmentState) -> String {
    versionName(digest: state.digest, fingerprint: state.fingerprint)
}

private func versionName(digest: String, fingerprint: String) -> String {
    "digest \(digest)" + (fingerprint == digest ? "" : ", fingerprint \(fingerprint)")
}
