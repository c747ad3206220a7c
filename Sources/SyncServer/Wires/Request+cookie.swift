import HTTPTypes
package import Hummingbird

extension Request {
    /// The value of the first cookie with this name; nil if there is none.
    package func cookie(named name: String) -> String? {
        for pair in (headers[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
            return String(parts[1])
        }
        return nil
    }
}
