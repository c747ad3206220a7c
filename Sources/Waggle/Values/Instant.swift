public import Foundation

/// A point in time, exact to the millisecond.
///
/// In JSON it is the number of milliseconds since 1970 in UTC.
public struct Instant: Hashable, Sendable {
    /// Milliseconds since 1970 in UTC.
    public let milliseconds: Int64

    /// A point in time, in milliseconds since 1970 in UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The millisecond that is nearest to a date. A date beyond the range of 64 bits becomes the
    /// earliest or the latest point in time.
    public init(_ date: Date) {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        self.milliseconds = Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    }

    /// The point in time as a date of Foundation.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Instant: Comparable {
    /// Whether the left one is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Instant: StorableValue {
    /// Nil if the field is not a whole number.
    public init?(_ stored: StoredField) {
        guard let milliseconds = Int64(stored) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The milliseconds.
    public var stored: StoredField { milliseconds.stored }
}

extension Instant: Codable {
    /// Decodes the milliseconds.
    public init(from decoder: any Decoder) throws {
        self.milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
