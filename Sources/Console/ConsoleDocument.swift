import ConsoleFiles
import Hashing

/// A file of the console as it is served.
struct ConsoleDocument: Hashable, Sendable {
    /// Relative to the folder of the console's files, such as `modules/api.js`.
    let path: String
    let bytes: [UInt8]
    let contentType: String
    /// An entity tag, with its quotation marks. It changes with the contents.
    let tag: String

    /// All embedded files, by path. Files of unknown types are left out: see `contentType`.
    static func all() -> [String: ConsoleDocument] {
        var documents: [String: ConsoleDocument] = [:]
        var number: UInt = 0
        while let file = consoleFile(number)?.pointee {
            let path = String(cString: file.path)
            if let type = contentType(of: path) {
                documents[path] = ConsoleDocument(path, bytes(from: file.bytes), type)
            }
            number += 1
        }
        return documents
    }

    private init(_ path: String, _ bytes: [UInt8], _ contentType: String) {
        self.path = path
        self.bytes = bytes
        self.contentType = contentType
        tag = "\"\(hexadecimal(SHA256.hash(bytes).prefix(12)))\""
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A file of the same type with other contents, at the same path unless another one is given.
    func replacing(_ bytes: [UInt8], at path: String? = nil) -> ConsoleDocument {
        ConsoleDocument(path ?? self.path, bytes, contentType)
    }

    private static func contentType(of path: String) -> String? {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    /// The bytes before the final zero.
    private static func bytes(from start: UnsafePointer<UInt8>) -> [UInt8] {
        var count = 0
        while start[count] != 0 { count += 1 }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}
