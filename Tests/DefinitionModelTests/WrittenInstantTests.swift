import DefinitionModel
import Foundation
import TestKit
import Testing

/// Instants as definitions write them and as people read them.
@Suite struct WrittenInstantTests {
    private static let day: Int64 = 86_400_000

    private static let instants: [(String, Int64, Int64)] = [
        ("0", 0, 0), ("-5", -5, -5), ("1970-01-01", 0, day - 1), ("1970-01-02", day, 2 * day - 1),
        ("1969-12-31", -day, -1), ("2000-02-29", 951_782_400_000, 951_868_799_999),
        ("2026-11-21", 1_795_219_200_000, 1_795_305_599_999),
        ("2026-11-21T10:30Z", 1_795_257_000_000, 1_795_257_000_000),
        ("2026-11-21T10:30:15Z", 1_795_257_015_000, 1_795_257_015_000),
        ("2026-11-21T10:30:15.5Z", 1_795_257_015_500, 1_795_257_015_500),
        ("2026-11-21T10:30:15.025Z", 1_795_257_015_025, 1_795_257_015_025),
        ("0000-03-01", -62_162_035_200_000, -62_161_948_800_001),
        ("9999-12-31", 253_402_214_400_000, 253_402_300_799_999),
    ]

    @Test(arguments: instants)
    func isReadToMillisecond(text: String, first: Int64, last: Int64) throws {
        let instant = try #require(WrittenInstant(text))
        #expect(instant.firstMilliseconds == first)
        #expect(instant.lastMilliseconds == last)
    }

    @Test(arguments: [
        "", "today", "2026-", "2026-1-1", "2026-13-01", "2026-00-10", "2026-04-31", "2026-02-29",
        "1900-02-29", "2026-01-00", "26-01-01", "12026-01-01", "2026-01-01T", "2026-01-01T10Z",
        "2026-01-01T24:00Z", "2026-01-01T10:60Z", "2026-01-01T10:00:60Z", "2026-01-01T10:00",
        "2026-01-01T10:00+02:00", "2026-01-01T10:00:00.1234Z", "2026-01-01 10:00Z", "+5", "1e3",
        "٢٠٢٦-٠١-٠١", " 2026-01-01",
    ])
    func isNothingElse(text: String) {
        #expect(WrittenInstant(text) == nil)
    }

    private static let shown: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_257_015_025, "2026-11-21T10:30:15.025Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
        (-62_167_219_200_001, "-62167219200001"), (253_402_300_800_000, "253402300800000"),
        (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ]

    @Test(arguments: shown)
    func isShownAsDateWhereItHasOne(milliseconds: Int64, text: String) {
        #expect(readableInstant(milliseconds: milliseconds) == text)
        let isWhole = text.hasSuffix("Z") && !text.contains(".")
        let precise = isWhole ? text.dropLast() + ".000Z" : text
        #expect(preciseInstant(milliseconds: milliseconds) == precise)
    }

    /// Round trips, compared with the calendar of Foundation.
    @Test(arguments: UInt64(0)..<200)
    func agreesWithAnotherCalendar(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let seconds = Int64.random(in: -11_644_473_600...253_402_300_799, using: &random)
        let text = readableInstant(milliseconds: seconds * 1000)
        #expect(WrittenInstant(text)?.firstMilliseconds == seconds * 1000, "seed \(seed)")
        let date = Date(timeIntervalSince1970: Double(seconds))
        #expect(text == date.formatted(.iso8601), "seed \(seed)")
    }
}
