import Foundation
import Testing

@testable import Waggle

/// Impossible answers of a server fail the transfer, which does not go on without end.
struct FileTransferTests {
    private let folder = URL.temporaryDirectory.appending(
        path: "waggle-transfer-\(UUID().uuidString)")

    private func transfer(
        _ answers: @escaping @Sendable (WireRequest) -> WireAnswer
    ) -> FileTransfer {
        FileTransfer(
            wire: AnsweringWire(answers), environment: "test", token: "t",
            folder: ContentsFolder(place: folder), report: { _ in })
    }

    private func upload(
        _ answers: @escaping @Sendable (WireRequest) -> WireAnswer
    ) async throws -> FileTransfer.Upload {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transfer = transfer(answers)
        let taken = try transfer.folder.take(Data("ten bytes.".utf8), as: "guid")
        return try await transfer.upload(
            LocalFile(guid: "guid", bytes: taken.bytes, digest: taken.digest, state: .waiting))
    }

    @Test(arguments: [Int64.min, -1, 11, .max]) func asManyBytesNobodyHas(received: Int64) async {
        await #expect {
            try await upload { request in
                request.method == "GET" ? .received(received, of: 10) : .error(500, "unexpected")
            }
        } throws: { isUnexpected($0) }
    }

    @Test(arguments: [0, 5, 10] as [Int64]) func uploadThatGetsNowhereEnds(received: Int64) async {
        await #expect {
            try await upload { request in
                request.method == "GET"
                    ? .received(received, of: 10) : WireAnswer(status: 202, body: [])
            }
        } throws: { isUnexpected($0) }
    }

    @Test func downloadThatGetsNowhereEnds() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect {
            try await transfer { _ in
                WireAnswer(status: 206, body: [], headers: ["content-range": "bytes 0-9/10"])
            }.download("guid")
        } throws: { isUnexpected($0) }
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("9223372036854775807", 86_400), ("-1", 0), ("soon", nil),
        ] as [(String, Int?)])
    func serverMayAskToWaitForDay(header: String, seconds: Int?) {
        let answer = WireAnswer(status: 503, body: [], headers: ["retry-after": header])
        #expect(answer.retryAfter == seconds)
    }
}

private func isUnexpected(_ error: any Error) -> Bool {
    guard case .unexpectedAnswer? = error as? SyncFailure else { return false }
    return true
}

private struct AnsweringWire: Transport {
    private let answers: @Sendable (WireRequest) -> WireAnswer

    init(_ answers: @escaping @Sendable (WireRequest) -> WireAnswer) {
        self.answers = answers
    }

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer { answers(request) }
}

extension WireAnswer {
    fileprivate static func received(_ count: Int64, of size: Int64) -> WireAnswer {
        let text = #"{"guid": "guid", "complete": false, "received": \#(count), "size": \#(size)}"#
        return WireAnswer(status: 200, body: Array(text.utf8))
    }
}
