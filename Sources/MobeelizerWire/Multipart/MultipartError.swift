/// The reason why a `multipart/form-data` body cannot be read. `description` is for people.
package enum MultipartError: Error, Hashable, Sendable {
    /// The `Content-Type` header is absent or names another type.
    case typeWrong(String)
    /// The `Content-Type` header has no valid boundary.
    case boundaryWrong
    /// The boundary does not occur in the body.
    case boundaryMissing
    /// Lines end with LF instead of CR LF.
    case lineEndsWrong
    /// The body ends before the final boundary.
    case cutOff
    case tooManyParts(max: Int)
    // Parts are counted from 1.
    case headersTooLong(part: Int, maxBytes: Int)
    case headersBroken(part: Int)
    /// The headers do not name the form field.
    case nameMissing(part: Int)
}

extension MultipartError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .typeWrong(let type): "the body is of the type '\(type)': send 'multipart/form-data'"
        case .boundaryWrong:
            "the header 'Content-Type' names no boundary: add 'boundary=' and 1 to 70 characters"
        case .boundaryMissing:
            "the boundary that the header 'Content-Type' names is not in the body"
        case .lineEndsWrong: "the lines of the body end with LF: end them with CR LF"
        case .cutOff: "the body ends before its last boundary: send all of it"
        case .tooManyParts(let max): "the body has more than \(max) parts"
        case .headersTooLong(let part, let maxBytes):
            "the headers of the part \(part) have more than \(maxBytes) bytes"
        case .headersBroken(let part):
            "the headers of the part \(part) are not lines of a name, a colon and a value"
        case .nameMissing(let part):
            "the part \(part) has no name: send 'Content-Disposition: form-data; name=\"…\"'"
        }
    }
}
