import Foundation

/// Nil only for a value that JSON cannot hold.
func encodedJSON(_ value: some Encodable) -> [UInt8]? {
    (try? JSONEncoder().encode(value)).map { [UInt8]($0) }
}
