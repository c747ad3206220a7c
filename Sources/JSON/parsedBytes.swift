/// The memory that the values of a JSON text need at most, in addition to the text: each value has
/// a place in an array or an object, and each of these has a storage of its own. A string counts as
/// its bytes only, whatever is in it.
package func parsedBytes(of json: [UInt8]) -> Int {
    var (values, arrays, objects) = (0, 0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in json {
        guard !isInString else {
            isInString = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: ","): values += 1
        case UInt8(ascii: "["): arrays += 1
        case UInt8(ascii: "{"): objects += 1
        case _: break
        }
    }
    return json.count + 48 * values + 96 * arrays + 240 * objects
}
