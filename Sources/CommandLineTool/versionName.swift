import DefinitionModel
import SyncEngine

/// What people know a version by: its digest, which clients have too, and its fingerprint where
/// there is more to it than the digest covers.
func versionName(of definition: Definition) -> String {
    versionName(digest: definition.digest, fingerprint: definition.fingerprint)
}

/// That of the version that an environment has now.
func versionName(of state: EnvironmentState) -> String {
    versionName(digest: state.digest, fingerprint: state.fingerprint)
}

private func versionName(digest: String, fingerprint: String) -> String {
    "digest \(digest)" + (fingerprint == digest ? "" : ", fingerprint \(fingerprint)")
}
