import Administration
import DefinitionCompiler
import DefinitionModel
import JSON
import TestKit
import Testing

/// An operation of the OpenAPI documents, with the statuses that it may answer with.
struct DocumentedOperation: Sendable {
    let method: String
    let statuses: Set<Int>
    /// The parts of its path; nil for one that requests choose.
    fileprivate let parts: [String?]

    /// Those of the administration, and those of the native wire. Requests choose the models.
    static let all: [DocumentedOperation] = {
        let path = "Definitions/Conflicts/application.xml"
        let source = (try? bytes(ofFile: path)).map { SourceFile(name: path, bytes: $0) }
        let definition = source.flatMap { compile($0).definition }
        let native = definition.map { nativeInterface(of: $0) } ?? .null
        return operations(of: adminInterface(), at: "/admin/v1")
            + operations(of: native, at: "/v1/{environment}")
    }()

    /// The operation that answers a request; nil if the documents have none.
    static func answering(_ method: String, _ path: String) -> DocumentedOperation? {
        let parts = path.prefix { $0 != "?" }.split(
            separator: "/", omittingEmptySubsequences: false)
        let fitting = all.filter { $0.method == method && $0.fits(parts) }
        return fitting.max { $0.names.count < $1.names.count }
    }

    private var names: [String] { parts.compactMap(\.self) }

    private func fits(_ given: [Substring]) -> Bool {
        guard given.count == parts.count else { return false }
        return zip(given, parts).allSatisfy { given, part in
            part.map { $0 == given } ?? !given.isEmpty
        }
    }
}

private func operations(of document: JSONValue, at prefix: String) -> [DocumentedOperation] {
    members(of: member("paths", of: document)).flatMap { path, item in
        members(of: item).map { method, operation in
            let codes = members(of: member("responses", of: operation)).keys
            return DocumentedOperation(
                method: method.uppercased(), statuses: Set(codes.compactMap { Int($0) }),
                parts: parts(of: prefix + path))
        }
    }
}

/// The part after `records` is a model of the definition that the document is for.
private func parts(of path: String) -> [String?] {
    var former: Substring = ""
    return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
        defer { former = part }
        return part.hasPrefix("{") || former == "records" ? nil : String(part)
    }
}

private func members(of value: JSONValue?) -> [String: JSONValue] {
    guard case .object(let members)? = value else { return [:] }
    return members
}

private func member(_ name: String, of value: JSONValue) -> JSONValue? {
    members(of: value)[name]
}

extension Answer {
    /// Checks that the document of the operation names the status. A wire that is not served has
    /// no operations.
    func checkIsDocumented(_ method: String, _ path: String) {
        guard let operation = DocumentedOperation.answering(method, path),
            !operation.statuses.contains(status), !text.contains(#""code":"pathUnknown""#)
        else { return }
        Issue.record("\(method) \(path) answers \(status), which its document does not name")
    }
}

@Suite struct DocumentedOperationTests {
    /// Otherwise nothing would be compared.
    @Test func requestsFindTheirOperations() throws {
        let requests = [
            ("POST", "/v1/test/sync"), ("GET", "/v1/x/records/Film?limit=1"),
            ("GET", "/v1/test/records/Film/guid/history"), ("PUT", "/v1/test/files/guid"),
            ("DELETE", "/admin/v1/session"), ("GET", "/admin/v1/environments/test/conflicts/count"),
            ("PUT", "/admin/v1/drafts/notes"), ("GET", "/admin/v1/versions/1/source"),
        ]
        for (method, path) in requests {
            let operation = try #require(DocumentedOperation.answering(method, path), "\(path)")
            #expect(operation.statuses.isSuperset(of: [400, 500]), "\(path)")
            #expect(!operation.statuses.contains(405), "\(path)")
        }
        #expect(DocumentedOperation.answering("PUT", "/v1/test/sync") == nil)
        #expect(DocumentedOperation.answering("GET", "/admin/v1/drafts/") == nil)
    }
}
