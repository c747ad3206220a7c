import NIOCore
import NIOHTTP1

/// Finds requests that two servers could understand differently (RFC 9112, 3.2 and 6), and
/// announces each by an event before its head.
///
/// The parser has already refused two lengths, a length beside chunks, and an encoding after
/// `chunked`.
final class HeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The fault of the request whose head follows, for people.
    struct Fault: Hashable, Sendable {
        let text: String
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        if let fault = head.fault { context.fireUserInboundEventTriggered(Fault(text: fault)) }
        guard !head.isKeepAlive else { return context.fireChannelRead(data) }
        // The next handlers see neither the version nor the forms of this header.
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

extension HTTPRequestHead {
    /// Nil if the head has one meaning only.
    fileprivate var fault: String? {
        let isFirstVersion = version.minor == 0
        let hosts = headers["Host"].count
        if hosts > 1 { return "the header 'Host' comes \(hosts) times" }
        if hosts == 0 && !isFirstVersion { return "the header 'Host' is missing" }
        let encodings = headers["Transfer-Encoding"]
        if let encoding = encodings.first {
            if isFirstVersion { return "HTTP/1.0 has no 'Transfer-Encoding'" }
            let isChunked = encodings.count == 1 && encoding.lowercased() == "chunked"
            if !isChunked { return "'Transfer-Encoding' is not 'chunked'" }
            if headers.contains(name: "Content-Length") {
                return "'Content-Length' and 'Transfer-Encoding' exclude each other"
            }
        }
        if headers["Content-Length"].count > 1 { return "'Content-Length' comes twice" }
        let isPlain = uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? nil : "the path has a byte that is not percent-encoded"
    }
}
