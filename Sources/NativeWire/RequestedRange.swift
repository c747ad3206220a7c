import HTTPTypes
import Hummingbird
import SyncServer

/// Which bytes of a file are asked for.
enum RequestedRange: Hashable {
    case whole
    /// Not empty.
    case part(Range<Int64>)

    /// A malformed header, or several ranges at once, gets the whole file, as HTTP allows;
    /// so does who has a part of other contents. A range beyond the end throws.
    init(of request: Request, tag: String, size: Int64) throws {
        guard request.method == .get, let text = request.headers[.range],
            request.headers[.ifRange].map({ $0 == tag }) ?? true,
            let bounds = Bounds(text)
        else {
            self = .whole
            return
        }
        guard let range = bounds.range(within: size) else {
            throw HTTPFailure.rangeUnsatisfiable(size: size)
        }
        self = .part(range)
    }
}

/// `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT`.
private enum Bounds {
    case from(Int64, through: Int64?)
    case last(Int64)

    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /(?i:bytes)= *([0-9]*)-([0-9]*) */) else {
            return nil
        }
        let (first, last) = (Int64(match.1), Int64(match.2))
        switch (match.1.isEmpty, match.2.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let last else { return nil }
            self = .last(last)
        case (false, true):
            guard let first else { return nil }
            self = .from(first, through: nil)
        case (false, false):
            guard let first, let last, first <= last else { return nil }
            self = .from(first, through: last)
        }
    }

    /// Nil when none of it is there.
    func range(within size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first..<(last.map { min($0, size - 1) + 1 } ?? size)
        case .last(let count):
            guard count > 0, size > 0 else { return nil }
            return (size - min(count, size))..<size
        }
    }
}

/// Whether a tag is one of those in `If-None-Match`.
func isMatch(_ tag: String, in list: String) -> Bool {
    list.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.contains { entry in
        let own = entry.hasPrefix("W/") ? entry.dropFirst(2) : entry[...]
        return own.prefix { !$0.isWhitespace } == tag || own == "*"
    }
}
