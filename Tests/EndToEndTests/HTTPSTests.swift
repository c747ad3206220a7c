import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// The whole story by HTTPS, through nginx with the configuration of `Operations`.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: HTTPSFront.isInstalled, "needs nginx, openssl and curl: see 'make test-https'"))
struct HTTPSTests {
    private static let trusted = ["--trusted-proxies", "127.0.0.1"]

    private func server(
        _ definition: String, _ arguments: [String] = trusted
    ) async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: definition), processes: 1, arguments: arguments)
    }

    /// Runs a sample app with the library that apps have.
    private func app(
        _ name: String, on device: String, as login: String, at address: String,
        trusting authority: String?, in folder: TemporaryFolder, _ lines: String...
    ) async throws -> Finished {
        try await Program(
            path: Tool.builtWithTests(name),
            arguments: [
                address, folder.path(device), login, PreparedDatabase.password(of: login),
            ],
            input: lines.map { $0 + "\n" }.joined(),
            environment: ["SSL_CERT_FILE": authority ?? ""], folder: folder
        ).run()
    }

    private func curl(
        _ certificates: Certificates, _ arguments: String...
    ) async throws -> Finished {
        try await Program(
            path: "/usr/bin/env",
            arguments: ["curl", "-sS", "--cacert", certificates.authority] + arguments,
            folder: certificates.folder
        ).run()
    }

    // MARK: - Devices

    @Test func devicesSyncAndExchangeLargeFiles() async throws {
        let server = try await server("Dates")
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let address = "https://localhost:\(front.port)"
        let size = 20_000_000
        let picture = try certificates.folder.write(
            Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }), to: "cake.png")
        let phone = try await app(
            "DatesApp", on: "phone", as: "a", at: address, trusting: certificates.authority,
            in: certificates.folder, "add birthday 2027-03-14 Albert", "picture 1 \(picture)",
            "sync")
        #expect(phone.exitCode == 0, "\(phone.errors)")
        #expect(phone.output.hasSuffix("1 sent, 1 received\n"), "\(phone.output)")
        let desk = try await app(
            "DatesApp", on: "desk", as: "a", at: address, trusting: certificates.authority,
            in: certificates.folder, "sync", "show 1")
        #expect(desk.output.hasSuffix("   cake.png: \(size) bytes\n"), "\(desk.output)")
    }

    /// A device refuses a server whose certificate it cannot verify, and sends it nothing.
    @Test(arguments: [
        (Certificates.Kind.valid, false), (.expired, true), (.wrongName, true),
    ])
    func devicesVerifyCertificates(kind: Certificates.Kind, isTrusted: Bool) async throws {
        let server = try await server("Dates")
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates, kind)
        let refused = try await app(
            "DatesApp", on: "phone", as: "a", at: "https://localhost:\(front.port)",
            trusting: isTrusted ? certificates.authority : nil, in: certificates.folder, "sync")
        #expect(refused.exitCode == 1)
        #expect(refused.output.hasPrefix("! the server cannot be reached"), "\(refused.output)")
        #expect(await server.stop() == 0)
        #expect(!(try server.log().contains("/session")))
    }

    // MARK: - The wires

    @Test func originalClientsAreServed() async throws {
        let server = try await server("Conflicts")
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let headers = try OriginalClient("a", of: server).headers.map { "\($0.key): \($0.value)" }
        let file = try certificates.folder.write(headers.joined(separator: "\n"), to: "headers")
        let address = "https://localhost:\(front.port)/sync/v2"
        let signedIn = try await curl(certificates, "-H", "@\(file)", "\(address)/authenticate")
        #expect(signedIn.output.contains(#""role":"users-mobile""#), "\(signedIn.output)")
        let wanted = try await curl(
            certificates, "-H", "@\(file)", "-X", "POST", "\(address)/synchronizeAll")
        #expect(wanted.output.wholeMatch(of: /[0-9a-f-]{36}/) != nil, "\(wanted.output)")
    }

    @Test func originalClientsSyncRecordWithFile() async throws {
        let server = try await server("Dates")
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let address = HTTPSAddress(of: front, certificates)
        let phone = try OriginalClient("a", of: server).with { $0.front = address }
        let tablet = try OriginalClient("a", on: "tablet", of: server).with { $0.front = address }
        let (guid, file) = (fresh(), fresh())
        let bytes: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let spring = OriginalLine(
            guid, of: "Occasion",
            [
                "kind": "holiday", "name": "Spring", "date": "1767225600000", "details": .null,
                "link": .null,
                "picture": .object(["guid": .string(file), "filename": "spring.png"]),
            ])
        try await phone.synchronize([spring], files: [file: bytes])
        let delivery = try await tablet.synchronize()
        #expect(try delivery.line(guid)["name"] == "Spring" && delivery.files == [file: bytes])
        // Confirmed.
        #expect(try await tablet.synchronize().lines.isEmpty)
    }

    @Test func clientsSpeakHTTP2AndPlainHTTPIsRedirected() async throws {
        let server = try await server("Conflicts")
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let asked = try await curl(
            certificates, "--http2", "-D", "-", "https://localhost:\(front.port)/v1/test/health")
        #expect(asked.output.hasPrefix("HTTP/2 200"), "\(asked.output)")
        #expect(asked.output.lowercased().contains("strict-transport-security: max-age="))
        #expect(asked.output.contains(#""status":"ok""#))
        let plain = try await curl(
            certificates, "-o", "plain.out", "-w", "%{http_code} %{redirect_url}",
            "http://localhost:\(front.plainPort)/v1/test/health")
        #expect(plain.output == "308 https://localhost/v1/test/health")
    }

    /// Passed on at once: the next heartbeat comes after an hour.
    @Test func liveStreamsAreNotBuffered() async throws {
        let server = try await server(
            "FieldService", Self.trusted + ["--live-beat-seconds", "3600"])
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let stream = try Program(
            path: "/usr/bin/env",
            arguments: [
                "curl", "-sSN", "--cacert", certificates.authority, "-H",
                "Authorization: Bearer \(try server.client("tina").token)",
                "https://localhost:\(front.port)/v1/test/live",
            ], folder: certificates.folder
        ).process(writingTo: "live.out", and: "live.err")
        try stream.run()
        killAfterTest(stream)
        defer { stream.terminate() }
        func heard(_ text: String) async throws -> Bool {
            while stream.isRunning {
                if try certificates.folder.text(of: "live.out").contains(text) { return true }
                await Task.yield()
            }
            return false
        }
        #expect(try await heard("id: "))
        try await server.client("dora", on: "office").notify(
            #"{"id": "n", "notification": {"said": "at once"}}"#)
        #expect(try await heard("at once"))
    }

    // MARK: - Names

    /// The administration is on for this machine, and nginx is on this machine.
    @Test(arguments: [
        ("localhost", "/v1/test/health", "200"), ("evil.example", "/v1/test/health", "421"),
        ("127.0.0.1", "/admin/v1/session", "421"), ("localhost", "/admin/v1/session", "403"),
        ("localhost", "/console", "403"),
    ])
    func onlyDevicesAreLetThrough(host: String, path: String, status: String) async throws {
        let server = try await server("Conflicts", Self.trusted + ["--admin", "loopback"])
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let asked = try await curl(
            certificates, "-o", "answer.out", "-w", "%{http_code}", "-H", "Host: \(host)",
            "https://localhost:\(front.port)\(path)")
        #expect(asked.output == status)
    }

    // MARK: - Addresses

    /// Each address may have one connection. The proxy has more, for several clients.
    @Test(.enabled(if: HTTPSFront.hasLoopbackAddresses))
    func serverKnowsAddressesOfClients() async throws {
        let server = try await server(
            "Conflicts", Self.trusted + ["--max-connections-per-address", "1"])
        let certificates = try await Certificates(in: server.site.folder)
        let front = try await HTTPSFront(of: server, certificates)
        let token = try server.client("a").token
        let address = "https://localhost:\(front.port)/v1/test"
        let stream = try Program(
            path: "/usr/bin/env",
            arguments: [
                "curl", "-sSN", "--cacert", certificates.authority, "-4", "--interface",
                "127.0.0.2",
                "-H", "Authorization: Bearer \(token)", "\(address)/live",
            ], folder: certificates.folder
        ).process(writingTo: "live.out", and: "live.err")
        try stream.run()
        killAfterTest(stream)
        defer { stream.terminate() }
        while stream.isRunning, try !certificates.folder.text(of: "live.out").contains("id: ") {
            await Task.yield()
        }
        for (source, invented, status) in [
            ("127.0.0.2", "", "503"), ("127.0.0.3", "", "200"),
            ("127.0.0.3", "127.0.0.2", "200"), ("127.0.0.2", "127.0.0.9", "503"),
        ] {
            let asked = try await curl(
                certificates, "-4", "--interface", source, "-o", "health.out", "-w", "%{http_code}",
                "-H", "X-Forwarded-For: \(invented)", "-H", "Forwarded: for=\(invented)",
                "\(address)/health")
            #expect(asked.output == status, "from \(source), inventing '\(invented)'")
        }
    }
}

extension HTTPSFront {
    /// Linux has all of 127.0.0.0/8.
    static let hasLoopbackAddresses = FileManager.default.fileExists(atPath: "/proc/self")
}
