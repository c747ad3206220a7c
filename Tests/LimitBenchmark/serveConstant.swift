import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Answers every request with the same bytes and the server's headers. Address, limits and threads
/// are those of `waggle serve`; bodies are ignored.
func serve(constant answer: Data) async throws {
    let body = ByteBuffer(bytes: answer)
    let router = Router()
    router.post("v1/:environment/sync") { _, _ in
        Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: body))
    }
    var logger = Logger(label: "limit")
    logger.logLevel = .warning
    let application = Application(
        router: router,
        server: .http1(configuration: .init(idleTimeout: .seconds(60))),
        configuration: ApplicationConfiguration(
            address: .hostname("127.0.0.1", port: 0),
            availableConnectionsDelegate: MaximumAvailableConnections(4096)),
        onServerRunning: { channel in
            let port = channel.localAddress?.port ?? 0
            FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
        },
        logger: logger)
    try await application.runService()
}
