import Foundation
import TestKit
import Testing

/// Certificates for `localhost`, and an authority that nobody else trusts.
struct Certificates: Sendable {
    enum Kind: String, CaseIterable {
        case valid, expired
        case wrongName = "wrong"
    }

    let folder: TemporaryFolder
    var authority: String { folder.path("ca.pem") }

    init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder.path("issued"), withIntermediateDirectories: true)
        try folder.write("", to: "index.txt")
        try folder.write("01\n", to: "serial")
        try folder.write(Self.configuration, to: "openssl.cnf")
        try await openssl(
            "req", "-x509", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "3650",
            "-subj", "/CN=An authority of the tests", "-addext",
            "basicConstraints=critical,CA:TRUE", newKey: true)
        for kind in Kind.allCases { try await issue(kind) }
    }

    func chain(_ kind: Kind) -> String { folder.path("\(kind.rawValue).pem") }
    func key(_ kind: Kind) -> String { folder.path("\(kind.rawValue).key") }

    private func issue(_ kind: Kind) async throws {
        let name = kind.rawValue
        let host = kind == .wrongName ? "other.example" : "localhost"
        try await openssl(
            "req", "-nodes", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj",
            "/CN=\(host)", newKey: true)
        let end = kind == .expired ? "20200102000000Z" : "21200101000000Z"
        try await openssl(
            "ca", "-batch", "-config", "openssl.cnf", "-in", "\(name).csr", "-out", "\(name).pem",
            "-notext", "-startdate", "20200101000000Z", "-enddate", end, "-extensions",
            kind == .wrongName ? "other" : "local")
    }

    /// - Parameter newKey: Makes a key of an elliptic curve, which is faster than RSA.
    private func openssl(_ arguments: String..., newKey: Bool = false) async throws {
        let key = newKey ? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : []
        let finished = try await Program(
            path: "/usr/bin/env", arguments: ["openssl"] + arguments + key, folder: folder
        ).run()
        guard finished.exitCode == 0 else { throw Unexpected("openssl: \(finished.errors)") }
    }

    private static let configuration = """
        [ca]
        default_ca = tests
        [tests]
        new_certs_dir = issued
        database = index.txt
        serial = serial
        certificate = ca.pem
        private_key = ca.key
        default_md = sha256
        policy = names
        unique_subject = no
        [names]
        commonName = supplied
        [local]
        subjectAltName = DNS:localhost,IP:127.0.0.1
        [other]
        subjectAltName = DNS:other.example

        """
}

/// nginx with `Operations/nginx.conf` in front of a server; ended with the last reference.
final class HTTPSFront: Sendable {
    let port: Int
    let plainPort: Int
    private let process: Process

    static let isInstalled = ["nginx", "openssl", "curl"].allSatisfy { name in
        ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Tries other ports if somebody takes one of the free ones before nginx does: only this nginx
    /// answers with its own mark, and only after it has got both ports.
    init(
        of server: RunningServer, _ certificates: Certificates, _ kind: Certificates.Kind = .valid
    ) async throws {
        let folder = certificates.folder
        for attempt in 0..<10 {
            let (port, plainPort, mark) = (try freePort(), try freePort(), fresh())
            let name = "\(kind.rawValue)-\(attempt)"
            let site = try Self.site(of: server, certificates, kind, port, plainPort)
                .changing(
                    "listen 127.0.0.1:\(plainPort);",
                    to: "listen 127.0.0.1:\(plainPort); add_header X-Mark \(mark) always;")
            try folder.write(site, to: "\(name).site")
            let main = try folder.write(Self.main(in: folder, named: name), to: "\(name).conf")
            let process = try Program(
                path: "/usr/bin/env",
                arguments: ["nginx", "-p", folder.path("."), "-c", main],
                environment: ["PATH": "/usr/sbin:/usr/bin:/bin:/usr/local/bin"], folder: folder
            ).process(writingTo: "\(name).out", and: "\(name).err")
            try process.run()
            killAfterTest(process)
            while process.isRunning {
                if await Self.answers(mark, at: plainPort, while: process) {
                    (self.port, self.plainPort, self.process) = (port, plainPort, process)
                    return
                }
                await Task.yield()
            }
        }
        throw Unexpected("nginx does not start: \(try folder.files().keys.sorted())")
    }

    private static func answers(
        _ mark: String, at port: Int, while process: Process
    ) async -> Bool {
        guard let connection = try? RawConnection(port: port) else { return false }
        connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while !connection.hasAnswer {
            guard process.isRunning else { return false }
            await Task.yield()
        }
        return await connection.receive(until: "\r\n\r\n").contains(mark)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGTERM) }
        process.waitUntilExit()
    }

    /// The file of the documentation with the ports and paths of this test.
    private static func site(
        of server: RunningServer, _ certificates: Certificates, _ kind: Certificates.Kind,
        _ port: Int, _ plainPort: Int
    ) throws -> String {
        try String(contentsOfFile: repositoryPath("Operations/nginx.conf"), encoding: .utf8)
            .changing("server 127.0.0.1:8080;", to: "server 127.0.0.1:\(server.port);")
            .changing("listen 80;", to: "listen 127.0.0.1:\(plainPort);")
            .changing("listen 443 ssl http2;", to: "listen 127.0.0.1:\(port) ssl http2;")
            .changing("/etc/ssl/waggle/chain.pem", to: certificates.chain(kind))
            .changing("/etc/ssl/waggle/key.pem", to: certificates.key(kind))
            .replacing("sync.example.org", with: "localhost")
    }

    private static func main(in folder: TemporaryFolder, named name: String) -> String {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "  \($0)_temp_path \(folder.path("\(name).\($0)"));"
        }
        return """
            \(getuid() == 0 ? "user root;" : "")
            daemon off;
            pid \(folder.path("\(name).pid"));
            error_log \(folder.path("\(name).log"));
            events {}
            http {
              access_log \(folder.path("\(name).access"));
            \(paths.joined(separator: "\n"))
              include \(folder.path("\(name).site"));
            }

            """
    }
}

/// A port that nobody has at the moment.
private func freePort() throws -> Int {
    #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue)
    #else
        let type = SOCK_STREAM
    #endif
    let opened = socket(AF_INET, type, 0)
    defer { close(opened) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(opened, $0, length) == 0 && getsockname(opened, $0, &length) == 0
        }
    }
    guard isBound else { throw Unexpected("no port is free") }
    return Int(address.sin_port.bigEndian)
}
