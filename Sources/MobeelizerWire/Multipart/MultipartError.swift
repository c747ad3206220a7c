/// Why a body of `multipart/form-data` cannot be read. `description` says it for people.
package enum MultipartError: Error, Hashable, Sendable {
    /// The request's header names another type, or none.
    case typeWrong(String)
    /// The request's header names no boundary, or one that is none.
    case boundaryWrong
    /// The body has nowhere the boundary that the header names.
    case boundaryMissing
    /// Lines end with LF, where CR LF has to be.
    case lineEndsWrong
    /// The body ends before its last boundary.
    case cutOff
    case tooManyParts(max: Int)
    // Of the headers of a part, which is counted from 1.
    case headersTooLong(part: Int, maxBytes: Int)
    case headersBroken(part: Int)
    /// The part says nowhere of which form field it is.
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
