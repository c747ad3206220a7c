import Foundation
import HTTPTypes
import SyncServer

extension HTTPFailure {
    /// The details locate the fault in the body, such as `changes[0].guid`.
    init(_ error: DecodingError) {
        let fault = DecodingFault(error)
        self.init(
            .badRequest, fault.code, fault.text, help: fault.help,
            details: fault.path.isEmpty ? [:] : ["path": fault.path])
    }
}

private struct DecodingFault {
    let code: String
    let text: String
    let help: String
    let path: String

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            path = (context.codingPath + [key]).jsonPath
            code = "wrongShape"
            text = "'\(path)' is missing"
            help = "add it; the Wire page of the documentation shows the whole message"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            path = context.codingPath.jsonPath
            code = "wrongShape"
            text = path.isEmpty ? "the body is of another type" : "'\(path)' is of another type"
            help = "make it \(name(of: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            path = ""
            code = "notJSON"
            text = "the body is not JSON"
            help = context.debugDescription
        case .dataCorrupted(let context):
            path = context.codingPath.jsonPath
            code = "wrongShape"
            text = "'\(path)' is not acceptable"
            help = context.debugDescription
        @unknown default:
            path = ""
            code = "wrongShape"
            text = "the body cannot be read"
            help = "the Wire page of the documentation shows the whole message"
        }
    }
}

private func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Int.Type, is Int64.Type: "a whole number of 64 bits"
    case is [String: Any].Type: "an object"
    case is [Any].Type: "a list"
    default: "what the Wire page of the documentation shows"
    }
}

extension [any CodingKey] {
    fileprivate var jsonPath: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
