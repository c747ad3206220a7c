import Hashing
import SyncEngine

extension ParseCall {
    /// Names the request with its whole content, so that another request with the same id is
    /// another one. Nil if it cannot be repeated.
    func repeatKey(of body: [UInt8]) -> String? {
        guard let id = credentials.repeatID else { return nil }
        var hash = SHA256()
        for part in [id, verb.rawValue] + path { hash.update(Array(part.utf8) + [0]) }
        hash.update(body)
        return ContentHash(hash.finalize())?.hex
    }
}
