import Foundation

/// A server behind a proxy, whose certificate clients verify.
struct HTTPSAddress: Sendable {
    let port: Int
    let certificates: Certificates

    init(of front: HTTPSFront, _ certificates: Certificates) {
        port = front.port
        self.certificates = certificates
    }

    /// Sends a request with curl, as bytes that it does not change.
    func request(
        _ method: String, _ path: String, body: Data?, headers: [String: String]
    ) async throws -> Answer {
        let (folder, name) = (certificates.folder, fresh())
        let fields = ["Content-Type": "application/json"].merging(headers) { $1 }
        let list = fields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        var arguments = [
            "curl", "-sS", "--cacert", certificates.authority, "-X", method,
            "-H", "@\(try folder.write(list, to: "\(name).headers"))",
            "-D", folder.path("\(name).head"), "-o", folder.path("\(name).body"),
            "-w", "%{http_code}",
        ]
        if let body {
            arguments += ["--data-binary", "@\(try folder.write(body, to: "\(name).sent"))"]
        }
        let asked = try await Program(
            path: "/usr/bin/env", arguments: arguments + ["https://localhost:\(port)\(path)"],
            folder: folder
        ).run()
        guard asked.exitCode == 0, let status = Int(asked.output) else {
            throw Unexpected("curl: \(asked.errors)")
        }
        let answered = try folder.text(of: "\(name).head").matches(of: /(?m)^([\w-]+): (.*?)\r?$/)
            .map { (String($0.1), String($0.2)) }
        return Answer(
            status: status, headers: Dictionary(answered) { first, _ in first },
            // Without a body, curl makes no file.
            body: (try? folder.bytes(of: "\(name).body")) ?? Data())
    }
}
