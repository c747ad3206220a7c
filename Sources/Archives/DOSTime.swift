import Foundation

/// A time as ZIP stores it: local time without a zone, used as UTC, in even seconds.
struct DOSTime: Hashable {
    let date: UInt16
    let time: UInt16

    private static let first: Int64 = 315_532_800  // 1980-01-01 00:00:00
    private static let last: Int64 = 4_354_819_198  // 2107-12-31 23:59:58

    /// Rounds down, and clamps to the representable range.
    init(secondsSince1970 seconds: Int64) {
        var moment = time_t(min(max(seconds, Self.first), Self.last))
        var parts = tm()
        gmtime_r(&moment, &parts)
        date = UInt16((parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday)
        time = UInt16(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2)
    }
}
