import NIOCore
import NIOPosix

/// Throws `ListenError` if a server cannot listen at the address, before anything else is opened.
/// Another process may still take the port afterwards.
package func checkAddress(_ host: String, port: Int) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let result: Result<Void, any Error>
    do {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port).get()
        result = .success(try await channel.close().get())
    } catch {
        result = .failure(translated(error, host: host, port: port))
    }
    try await group.shutdownGracefully()
    try result.get()
}
