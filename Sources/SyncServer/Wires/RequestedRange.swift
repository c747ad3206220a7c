import HTTPTypes
import Hummingbird

/// The requested bytes of a file.
enum RequestedRange: Hashable {
    case whole
    /// Not empty.
    case part(Range<Int64>)

    /// A malformed header, several ranges, and a range of other contents (`If-Range`) select the
    /// whole file, as HTTP allows. Throws for a range beyond the end.
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

    /// Nil if the file has none of these bytes.
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

/// Whether `If-None-Match` contains the tag.
func isMatch(_ tag: String, in list: String) -> Bool {
    list.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.contains { entry in
        let own = entry.hasPrefix("W/") ? entry.dropFirst(2) : entry[...]
        return own.prefix { !$0.isWhitespace } == tag || own == "*"
    }
}
