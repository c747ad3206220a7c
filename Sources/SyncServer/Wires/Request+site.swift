import HTTPTypes
package import Hummingbird

extension Request {
    /// Whether a page of another site caused the request; nil if the client does not say so, which
    /// programs and older browsers do not.
    package var isOfAnotherSite: Bool? {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }
        return site.map { $0 != "same-origin" && $0 != "none" }
    }
}
