import Foundation
import Hashing
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FileCrashTests {
    /// Killed after various numbers of bytes; the last time after all were sent, so that the server
    /// may be in any state up to completion.
    @Test func serverThatIsKilledLeavesNoHalfFileAndGoesOn() async throws {
        let site = try await Site.withFiles()
        let (guid, bytes) = (fresh(), someBytes(2_000_000))
        for count in [1, 700_000, 1_999_999] {
            let server = try await RunningServer(site: site)
            let a = try server.client("a")
            let connection = try RawConnection(port: server.port)
            connection.send(
                a.wireUpload(of: guid, digest: digest(of: bytes), length: bytes.count)
                    + bytes.prefix(count))
            try await waitUntilKnown(guid, to: a)
            try await a.waitForUpload(of: guid, bytes: Int64(count))
            await server.crash()
            #expect(try await site.blobs().keys.allSatisfy { $0.hasPrefix("uploads/") })
            #expect(try await site.blobs().values.contains(bytes.prefix(count)))
        }
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        #expect(try await a.uploadState(of: guid).received == 1_999_999)
        #expect(try await a.put(guid, bytes, from: 1_999_999).status == 201)
        #expect(try await a.get(guid).body == bytes)
        let hash = hex(of: bytes)
        #expect(try await site.blobs() == ["\(hash.prefix(2))/\(hash)": bytes])
    }

    @Test(arguments: UInt64(1)...6)
    func uploadIsFinishedAfterAnyKill(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let site = try await Site.withFiles()
        let (guid, bytes) = (fresh(), someBytes(1_000_000, seed: UInt8(seed)))
        var server = try await RunningServer(site: site)
        var a = try server.client("a")
        let connection = try RawConnection(port: server.port)
        connection.send(
            a.wireUpload(of: guid, digest: digest(of: bytes), length: bytes.count) + bytes)
        let requests = random.number(in: 0...4)
        for _ in 0..<requests { _ = try? await a.uploadState(of: guid) }
        await server.crash()
        for (name, contents) in try await site.blobs() where !name.hasPrefix("uploads/") {
            #expect(name.hasSuffix(hex(of: contents)), "half a file has a name")
        }
        server = try await RunningServer(site: site)
        a = try server.client("a")
        let answer = try await goOn(guid, bytes, as: a)
        #expect([200, 201].contains(answer.status), "\(answer.text)")
        #expect(try await a.get(guid).body == bytes)
    }

    /// Continues like a client after a lost connection, whatever the server has received.
    private func goOn(_ guid: String, _ bytes: Data, as client: Client) async throws -> Answer {
        guard let state = try? await client.uploadState(of: guid) else {
            return try await client.put(guid, bytes)
        }
        let first = Int(state.received)
        guard !state.complete, first > 0 else { return try await client.put(guid, bytes) }
        guard first == bytes.count else { return try await client.put(guid, bytes, from: first) }
        return try await client.put(
            guid, Data(),
            headers: [
                "Repr-Digest": digest(of: bytes), "Content-Range": "bytes */\(bytes.count)",
            ])
    }
}

#if os(Linux)
    @Suite(.serialized, .timeLimit(.minutes(5))) struct LargeFileTests {
        /// `WAGGLE_FILE_MEGABYTES` raises it.
        private static let megabytes =
            ProcessInfo.processInfo.environment["WAGGLE_FILE_MEGABYTES"].flatMap(Int.init) ?? 48

        @Test func largeFilePassesThroughWithoutBeingHeldInMemory() async throws {
            let site = try await Site.withFiles()
            let size = Self.megabytes << 20
            let server = try await RunningServer(
                site: site, processes: 1,
                // The test reader may be delayed by other tests; it must not be disconnected for
                // that.
                arguments: [
                    "--max-file-bytes", "\(size)", "--max-loose-file-bytes", "\(size)",
                    "--max-body-seconds", "600",
                ])
            let a = try server.client("a")
            // Allocates everything that does not depend on the size of a file.
            let (small, bytes) = (fresh(), someBytes(1 << 20))
            _ = try await a.put(small, bytes)
            #expect(try await a.get(small).body == bytes)
            try await a.attach(small)
            try server.forgetPeakMemory()
            let before = try server.peakMemoryKilobytes()

            let (guid, wholeDigest) = (fresh(), largeDigest(of: bytes))
            let connection = try RawConnection(port: server.port)
            connection.send(
                a.wireUpload(
                    of: guid, digest: wholeDigest, length: size,
                    headers: "Connection: close\r\n"))
            for _ in 0..<Self.megabytes { connection.send(bytes) }
            let answer = await connection.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer)")
            #expect(try await a.attach(guid).outcome == .accepted)
            try await expectDownload(of: guid, bytes, from: server, as: a)

            let growth = try server.peakMemoryKilobytes() - before
            #expect(growth < 16 << 10, "\(growth) KiB more for \(Self.megabytes) MiB")
        }

        private func largeDigest(of bytes: Data) -> String {
            var hash = SHA256()
            for _ in 0..<Self.megabytes { hash.update([UInt8](bytes)) }
            return "sha-256=:\(Data(hash.finalize()).base64EncodedString()):"
        }

        private func expectDownload(
            of guid: String, _ bytes: Data, from server: RunningServer, as client: Client
        ) async throws {
            let connection = try RawConnection(port: server.port)
            connection.send(client.wireDownload(of: guid))
            var head = Data()
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                let byte = await connection.receive(1)
                guard !byte.isEmpty else { throw Unexpected("no answer") }
                head += byte
            }
            #expect(head.starts(with: "HTTP/1.1 200 ".utf8))
            for number in 0..<Self.megabytes {
                let piece = await connection.receive(bytes.count)
                guard piece == bytes else { throw Unexpected("the piece \(number) is another") }
            }
            #expect(await connection.receive(1).isEmpty)
        }

        /// The whole transfer takes longer than the time limit for a single chunk.
        @Test func slowReaderGetsTheWholeResponse() async throws {
            let site = try await Site(prepared: "Permissions") { text in
                let field = #"<field name="title" type="TEXT" required="true">"#
                let option = #"<options><option name="maxLength">1000000</option></options>"#
                return try text.changing(field, to: field + option)
            }
            let server = try await RunningServer(
                site: site, arguments: ["--max-body-seconds", "4"])
            let a = try server.client("a")
            let title = String(repeating: "long ", count: 200_000)
            for _ in 0..<5 {
                try await a.push(
                    .create(fresh(), of: "PermissionsEntity", ["title": .string(title)]))
            }
            let size = 5 * title.utf8.count
            let taken = try await attempted { try await takenSlowly(by: a, atLeast: size) }
            #expect(taken > size)
        }

        /// The size of a response that is read for longer than five seconds; nil if it took more
        /// than two seconds to go on reading, and not all of it came.
        private func takenSlowly(by client: Client, atLeast size: Int) async throws -> Int? {
            let connection = try RawConnection(port: client.server.port, buffering: 65_536)
            connection.send(try client.wireRequest(SyncRequest()))
            var taken = 0
            let start = ContinuousClock.now
            var pace = Pace()
            while true {
                let piece = await connection.receive(1 << 20)
                pace.step()
                taken += piece.count
                guard piece.count == 1 << 20 else { break }
                let due = start.advanced(by: .seconds(1.5 * Double(taken >> 20)))
                while ContinuousClock.now < due {
                    _ = try await client.server.request("GET", "/health")
                }
            }
            #expect(taken <= size || start.duration(to: .now) > .seconds(5))
            return taken > size || pace.longest <= .seconds(2) ? taken : nil
        }

        /// The client requests a file and does not read the response.
        @Test(.withAFile) func clientThatDoesNotReadIsDisconnected() async throws {
            let size = 48 << 20
            let site = try await Site.withFiles()
            let before = try await RunningServer(site: site)
            let (guid, bytes) = (fresh(), someBytes(size))
            #expect(try await before.client("a").put(guid, bytes).status == 201)
            #expect(await before.stop() == 0)
            let server = try await RunningServer(
                site: site, arguments: ["--max-body-seconds", "1"])
            let a = try server.client("a")
            let connection = try RawConnection(port: server.port)
            connection.send(a.wireDownload(of: guid))
            let first = await connection.receive(1000)
            #expect(first.starts(with: "HTTP/1.1 200 ".utf8))
            let name = hex(of: bytes)
            _ = try await asked({ try server.hasOpen(name) }, until: { !$0 })
            let rest = await connection.receive(.max)
            #expect(rest.count < size - 1000, "it was closed before all of it went out")
        }
    }

    extension RunningServer {
        /// The peak memory of the process.
        fileprivate func peakMemoryKilobytes() throws -> Int {
            let status = try String(
                contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
            guard let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let peak = Int(match.1)
            else { throw Unexpected("nothing tells of its memory") }
            return peak
        }

        /// Resets the peak to the current memory.
        fileprivate func forgetPeakMemory() throws {
            try "5".write(
                toFile: "/proc/\(processIdentifier)/clear_refs", atomically: false, encoding: .utf8)
        }

        fileprivate func hasOpen(_ name: String) throws -> Bool {
            let folder = "/proc/\(processIdentifier)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/\(number)")
                return target?.hasSuffix(name) ?? false
            }
        }
    }
#endif

extension Client {
    fileprivate func wireDownload(of guid: String) -> String {
        """
        GET /v1/test/files/\(guid) HTTP/1.1\r
        Host: 127.0.0.1\r
        Authorization: Bearer \(token)\r
        Connection: close\r
        \r

        """
    }
}
