import MobeelizerWire

/// The result of reading a body in chunks.
struct ReadBody: Equatable {
    var parts: [ReadPart] = []
    var error: MultipartError?
    /// Events in the wrong order.
    var disorder: [String] = []
    private var hasEnded = false
    private var isInPart = false

    /// Reads the chunks in order, and then the end.
    init(_ chunks: some Sequence<[UInt8]>, contentType: String, limits: MultipartLimits = .init()) {
        var events: [MultipartEvent] = []
        do throws(MultipartError) {
            var reader = try MultipartReader(contentType: contentType, limits: limits)
            for chunk in chunks { try reader.consume(chunk, into: &events) }
            try reader.finish()
        } catch {
            self.error = error
        }
        for event in events { take(event) }
        if hasEnded != (error == nil) { disorder.append("an error and the end, or neither") }
    }

    private mutating func take(_ event: MultipartEvent) {
        if hasEnded { disorder.append("\(event) behind the end") }
        switch event {
        case .partBegan(let part):
            if isInPart { disorder.append("a part began within a part") }
            isInPart = true
            parts.append(ReadPart(part: part))
        case .bytes(let bytes):
            if !isInPart || bytes.isEmpty { disorder.append("bytes of no part, or no bytes") }
            if isInPart { parts[parts.count - 1].bytes += bytes }
        case .partEnded:
            if !isInPart { disorder.append("a part ended that had not begun") }
            isInPart = false
            if !parts.isEmpty { parts[parts.count - 1].isWhole = true }
        case .ended:
            if isInPart { disorder.append("ended within a part") }
            hasEnded = true
        }
    }
}

struct ReadPart: Equatable {
    let part: MultipartPart
    var bytes: [UInt8] = []
    var isWhole = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension [UInt8] {
    /// Cuts after a number of bytes.
    func cut(at place: Int) -> [[UInt8]] { [Array(self[..<place]), Array(self[place...])] }

    var singles: [[UInt8]] { map { [$0] } }
}
