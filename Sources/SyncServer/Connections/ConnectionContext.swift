package import Hummingbird
package import NIOCore

/// The context of a request, with its connection.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Nil outside of a server, as in tests.
    let connection: ConnectionState?

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        connection = ConnectionState.current
        connection?.beginAnswer()
    }

    /// The address of the client, as limits count it: behind a trusted proxy that of the header,
    /// and for IPv6 that of the /64 network. Empty without an address, as of a Unix domain socket.
    package var clientAddress: String { connection?.client?.description ?? "" }

    /// Charges the memory of this request to a user. Call this as soon as the caller is known.
    package func charge(_ login: String, in environment: ServedEnvironment) {
        connection?.charge(UserKey(environment: environment.name, login: login))
    }

    /// Makes room for what a request needs besides its body until its response is sent. In sum, at
    /// most half of a user's share is counted. Throws `tooManyBytes`.
    package func hold(_ bytes: Int) throws {
        do throws(MemoryShortage) {
            try connection?.hold(bytes)
        } catch {
            throw HTTPFailure(error)
        }
    }

    /// Makes room for the buffers of a response that is not in memory as a whole. Throws
    /// `tooManyBytes`.
    package func streamAnswer() throws {
        do throws(MemoryShortage) {
            try connection?.streamAnswer()
        } catch {
            throw HTTPFailure(error)
        }
    }

    /// Whether the client has closed neither the connection nor its side of it, as far as that is
    /// known. A client that has gone is not told apart from one that only sends no more.
    package var isOpen: Bool { channel.isActive && connection?.isInputClosed != true }

    /// Waits until the written bytes have reached the channel. Only then does the next write wait
    /// for the client: otherwise a writer faster than the event loop would fill the memory.
    package func pace() async throws {
        try await channel.eventLoop.submit {}.get()
    }

    /// Calls `body` repeatedly until the task is cancelled.
    package func repeating(
        every seconds: Int, _ body: @escaping @Sendable () -> Void
    ) -> RepeatedTask {
        let delay = TimeAmount.seconds(Int64(seconds))
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in
            body()
        }
    }

    /// Closes the connection after a delay, even in the middle of a response.
    package func close(afterSeconds seconds: Int) {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.close(promise: nil)
        }
    }
}
