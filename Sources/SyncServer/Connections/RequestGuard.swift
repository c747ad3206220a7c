import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes

/// Enforces what each request of a connection must keep to, whether or not a route reads its body.
///
/// - A body arrives in time, and its bytes fit into the memory budget.
/// - A response that is sent before the end of its request closes the connection: otherwise a
///   client could hold it by sending the rest slowly.
/// - A request that is ambiguous, or one too many of its address, is refused.
///
/// It also answers `GET /health`, which must not wait for the threads that run the routes.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    let peer: ConnectionPeer
    let limits: ArrivalLimits
    let health: HealthMonitor
    let formats: RefusalFormats
    let metrics: ServerMetrics?
    let logger: Logger
    /// The request that is arriving; nil between two requests.
    var arrival: Arrival?
    var unanswered = UnansweredRequests()
    var refusal: Refusal?
    var phase = Phase.open
    /// The parts that came while a response of this handler was due.
    var later: [HTTPRequestPart] = []
    /// Whether the request that is arriving is answered by this handler.
    var answersArrival = false
    /// Whether the next handler wants to read, which waits for a response of this one.
    var holdsRead = false
    private var fault: HeadCheck.Fault?
    private var nextLook: Scheduled<Void>?
    /// Whether the connection is being read. If not, the server is slow, not the client.
    private var isReading = false
    private var closesEarly = false
    /// Whether the reader of the body got an error. The rest of the body is dropped.
    private var isBroken = false
    /// Waits until the connection is closed.
    private var closePromise: EventLoopPromise<Void>?

    enum Phase {
        case open
        /// A response of this handler is due.
        case answering
        /// The last response was sent: what still arrives is dropped.
        case closing(droppedBytes: Int)
    }

    init(
        peer: ConnectionPeer, limits: ArrivalLimits, health: HealthMonitor,
        formats: RefusalFormats, metrics: ServerMetrics?, logger: Logger
    ) {
        self.peer = peer
        self.limits = limits
        self.health = health
        self.formats = formats
        self.metrics = metrics
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard !peer.isAdmitted else { return }
        // The head of the request tells in which format its client reads the refusal.
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: limits.headTime) {
            self.nextLook = nil
            self.unanswered.begin()
            self.refuse(nil, .tooManyConnections(max: self.peer.maxOfOne), context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        nextLook?.cancel()
        nextLook = nil
        closePromise?.succeed()
        closePromise = nil
        // A response that is due would continue with them.
        later = []
        peer.state.close()
        unanswered.close()
        peer.endRequests()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let fault = event as? HeadCheck.Fault {
            self.fault = fault
        } else if case .closing = phase, event as? ChannelEvent == .inputClosed {
            closeNow(context)
        } else {
            if event as? ChannelEvent == .inputClosed { peer.state.closeInput() }
            context.fireUserInboundEventTriggered(event)
        }
    }
}

// MARK: - Requests

extension RequestGuard {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(unwrapInboundIn(data), context)
    }

    func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch phase {
        case .open: break
        case .answering:
            later.append(part)
            return
        case .closing(let droppedBytes):
            if case .body(let bytes) = part { drop(bytes.readableBytes, droppedBytes, context) }
            return
        }
        switch part {
        case .head(let request): begin(request, context)
        case .body(let bytes): take(bytes, context)
        case .end:
            arrival = nil
            if answersArrival {
                answersArrival = false
            } else if refusal == nil {
                context.fireChannelRead(wrapInboundOut(part))
            }
        }
    }

    private func begin(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        unanswered.begin()
        arrival = Arrival()
        guard refusal == nil else { return }
        peer.state.arrive()
        if !peer.isAdmitted {
            nextLook?.cancel()
            nextLook = nil
        }
        let isNext = unanswered.count == 1
        let isAdmitted =
            peer.beginRequest(request.headerFields, isNext: isNext) && peer.isAdmitted
        if !isAdmitted {
            refuse(request, .tooManyConnections(max: peer.maxOfOne), context)
        } else if let fault {
            refuse(request, .malformed(fault.text), context)
        } else if isNext && request.isForHealth {
            answerHealth(request, context)
        } else {
            context.fireChannelRead(wrapInboundOut(.head(request)))
        }
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard refusal == nil, !isBroken else { return }
        do throws(MemoryShortage) {
            let counted = arrival?.add(bytes.readableBytes) ?? 0
            if counted > 0 { try peer.state.takeBody(counted) }
            context.fireChannelRead(wrapInboundOut(.body(bytes)))
        } catch {
            breakOff(HTTPFailure(error), context)
        }
    }

    /// Tells the reader of the body, and drops the rest.
    private func breakOff(_ failure: HTTPFailure, _ context: ChannelHandlerContext) {
        isBroken = true
        context.fireErrorCaught(failure)
    }
}

// MARK: - Time

extension RequestGuard {
    func read(context: ChannelHandlerContext) {
        if case .answering = phase {
            holdsRead = true
            return
        }
        isReading = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
        watch(context)
        if case .closing = phase { context.read() }
    }

    /// A request mostly arrives at once, and needs no timer.
    func watch(_ context: ChannelHandlerContext) {
        guard let arrival, nextLook == nil else { return }
        lookLater(at: arrival.begun + limits.time, context)
    }

    private func lookLater(at time: NIODeadline, _ context: ChannelHandlerContext) {
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        nextLook = nil
        guard case .open = phase, var arrival, !isBroken else { return }
        let now = NIODeadline.now()
        if arrival.begun + limits.time <= now {
            let isStreamed = peer.state.isBodyStreamed
            if isReading && !(isStreamed && arrival.hasMoved) {
                return breakOff(limits.failure(isStreamed: isStreamed), context)
            }
            arrival.beginInterval(at: now)
            self.arrival = arrival
        }
        lookLater(at: arrival.begun + limits.time, context)
    }
}

// MARK: - Responses

extension RequestGuard {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var response) where isEarly:
            closesEarly = true
            response.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end: end(data, promise, context)
        }
    }

    /// Nothing can be read after an error either.
    private var isEarly: Bool { unanswered.count == 1 && (arrival != nil || isBroken) }

    private func end(
        _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        let closes = closesEarly
        if closes { phase = .closing(droppedBytes: 0) }
        if closes || peer.state.holdsBytes {
            let promise = promise ?? context.eventLoop.makePromise()
            promise.futureResult.assumeIsolated().whenComplete { _ in
                self.finish()
                if closes { self.linger(context) }
            }
            context.write(data, promise: promise)
        } else {
            context.write(data, promise: promise)
            finish()
        }
        unanswered.answer()
        if unanswered.count == 1, let refusal { send(refusal, context) }
    }

    /// The response has been sent: its memory is free.
    func finish() {
        peer.state.finish()
        peer.endRequest()
    }

    /// Closes the connection so that the client sees the response: a connection that is closed
    /// while bytes arrive is reset, and the response may be lost.
    func linger(_ context: ChannelHandlerContext) {
        phase = .closing(droppedBytes: 0)
        later = []
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.closingTime) {
            self.closeNow(context)
        }
        context.read()
    }

    /// Waits until the client has seen the last response.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .closing = phase, mode == .all else {
            return context.close(mode: mode, promise: promise)
        }
        if let closePromise {
            closePromise.futureResult.cascade(to: promise)
        } else {
            closePromise = promise
        }
    }

    private func closeNow(_ context: ChannelHandlerContext) {
        let promise = closePromise
        closePromise = nil
        context.close(promise: promise)
    }

    private func drop(_ bytes: Int, _ before: Int, _ context: ChannelHandlerContext) {
        let dropped = before + bytes
        phase = .closing(droppedBytes: dropped)
        if dropped > limits.droppedBytes { closeNow(context) }
    }
}

/// A request that has begun.
struct Arrival {
    /// The start of the interval in which bytes must arrive.
    private(set) var begun = NIODeadline.now()
    private var bytes = 0
    private var bytesBefore = 0

    /// Returns the number of bytes to count.
    mutating func add(_ count: Int) -> Int {
        let before = max(bytes, MemoryBudget.uncountedBytes)
        bytes += count
        return max(0, bytes - before)
    }

    /// Whether enough bytes arrived in this interval.
    var hasMoved: Bool { bytes - bytesBefore >= chunkBytes }

    mutating func beginInterval(at now: NIODeadline) {
        begun = now
        bytesBefore = bytes
    }
}
