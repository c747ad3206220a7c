/// The headers of a part.
package struct MultipartPart: Hashable, Sendable {
    /// The name of the form field.
    package let name: String
    /// Nil if the part is not a file.
    package let filename: String?
    /// By lower-case name.
    package let headers: [String: String]

    /// - Parameter headers: Lines that end with CR LF, and an empty line.
    init(headers bytes: [UInt8], number: Int) throws(MultipartError) {
        var headers: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropLast() {
            guard let (name, value) = header(line.dropLast()),
                headers.updateValue(value, forKey: name) == nil
            else { throw .headersBroken(part: number) }
        }
        let disposition = headers["content-disposition"].map(HeaderValue.init(_:))
        if case .some(nil) = disposition { throw .headersBroken(part: number) }
        guard let value = disposition ?? nil, value.value == "form-data",
            let name = value.parameters["name"], !name.isEmpty
        else { throw .nameMissing(part: number) }
        self.name = name
        self.headers = headers
        filename = value.parameters["filename"]
    }
}

/// Nil for an invalid line: without a colon or a name, not in UTF-8, or with control characters.
private func header(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    let value = trimmed(line.dropFirst(name.count + 1))
    let isSound =
        name.count < line.count && !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        && value.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    guard isSound, let text = String(validating: value, as: UTF8.self) else { return nil }
    return (String(decoding: name, as: UTF8.self).lowercased(), text)
}
