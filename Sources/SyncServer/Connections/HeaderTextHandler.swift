import NIOCore
import NIOHTTPTypes

/// Makes headers in Latin-1 readable: see `HeaderTranscoder`. Add it directly behind the HTTP
/// decoder; it puts the transcoder in front of that.
final class HeaderTextHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let transcoder = HeaderTranscoder()

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            try context.pipeline.syncOperations.addHandler(transcoder, position: .first)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: transcoder.isInHead = false
        case .body: break
        case .end: transcoder.isInHead = true
        }
        context.fireChannelRead(data)
    }
}

/// Converts lines of a request's head that are no UTF-8 from Latin-1, in which clients in Java send
/// logins and passwords. NIO's decoder would replace their bytes.
final class HeaderTranscoder: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// A longer incomplete line is passed on as it is.
    private static let maxHeldBytes = 16 << 10

    /// Whether the next bytes belong to the head of a request.
    var isInHead = true
    /// The begin of a line that is not complete.
    private var held: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isInHead else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if var earlier = held {
            earlier.writeBuffer(&bytes)
            bytes = earlier
            held = nil
        }
        guard bytes.readableBytesView.hasForeignBytes else {
            return context.fireChannelRead(wrapInboundOut(bytes))
        }
        let (lines, rest) = headInUTF8(bytes)
        if rest.readableBytes > Self.maxHeldBytes {
            context.fireChannelRead(wrapInboundOut(lines))
            context.fireChannelRead(wrapInboundOut(rest))
        } else {
            held = rest.readableBytes > 0 ? rest : nil
            if lines.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(lines)) }
        }
    }
}

/// Returns the bytes with each line of the head in UTF-8, and what is left of an incomplete line
/// with bytes that are not ASCII. Bytes behind the empty line that ends the head stay as they are.
func headInUTF8(_ bytes: ByteBuffer) -> (lines: ByteBuffer, rest: ByteBuffer) {
    let view = bytes.readableBytesView
    var lines = ByteBuffer()
    lines.reserveCapacity(view.count * 2)
    var start = view.startIndex
    while let end = view[start...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = view[start...end]
        if line.hasForeignBytes, String(validating: line, as: UTF8.self) == nil {
            for byte in line { lines.writeString(String(UnicodeScalar(byte))) }
        } else {
            lines.writeBytes(line)
        }
        start = end + 1
        guard line.count > 2 || (line.count == 2 && line.first != UInt8(ascii: "\r")) else {
            lines.writeBytes(view[start...])
            return (lines, ByteBuffer())
        }
    }
    let rest = view[start...]
    guard rest.hasForeignBytes else {
        lines.writeBytes(rest)
        return (lines, ByteBuffer())
    }
    return (lines, ByteBuffer(bytes: rest))
}

extension ByteBufferView {
    /// Whether there are bytes beyond ASCII.
    fileprivate var hasForeignBytes: Bool {
        withUnsafeBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                guard word & 0x8080_8080_8080_8080 == 0 else { return true }
                place += 8
            }
            return bytes[place...].contains { $0 >= 0x80 }
        }
    }
}
