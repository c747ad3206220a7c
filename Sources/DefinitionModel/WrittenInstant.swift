/// An instant as written in a definition: a day (`2026-11-21`), a time in UTC (`2026-11-21T10:30Z`,
/// with optional seconds and milliseconds), or milliseconds since 1970 in UTC. A day stands for all
/// its milliseconds.
package struct WrittenInstant: Hashable, Sendable {
    /// The first millisecond that the text stands for, since 1970 in UTC.
    package let firstMilliseconds: Int64
    /// The last millisecond that the text stands for. It differs from the first for a day only.
    package let lastMilliseconds: Int64

    /// Nil if the text has none of these forms, or names a day or time that does not exist. Years
    /// have four digits.
    package init?(_ text: String) {
        if let milliseconds = Int64(strict: text) {
            firstMilliseconds = milliseconds
            lastMilliseconds = milliseconds
        } else if let start = day(text) {
            firstMilliseconds = start
            lastMilliseconds = start + millisecondsPerDay - 1
        } else if let instant = instant(text) {
            firstMilliseconds = instant
            lastMilliseconds = instant
        } else {
            return nil
        }
    }
}

private let millisecondsPerDay: Int64 = 86_400_000

private func day(_ text: String) -> Int64? {
    var form = InstantParser(text)
    guard let start = form.day(), form.isAtEnd else { return nil }
    return start
}

private func instant(_ text: String) -> Int64? {
    var form = InstantParser(text)
    guard let start = form.day(), form.take("T"),
        let hour = form.number(digits: 2), hour < 24, form.take(":"),
        let minute = form.number(digits: 2), minute < 60,
        let second = form.take(":") ? form.milliseconds() : 0,
        form.take("Z"), form.isAtEnd
    else { return nil }
    return start + (hour * 60 + minute) * 60_000 + second
}

/// A parser of fixed forms, from left to right. It is faster than a regular expression, which would
/// be compiled for each date of a definition.
private struct InstantParser {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, UInt32(byte) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Parses a day such as `2026-11-21`; returns its first millisecond.
    mutating func day() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return startOfDay(year, month, day)
    }

    /// Parses seconds with up to three fraction digits.
    mutating func milliseconds() -> Int64? {
        guard let second = number(digits: 2), second < 60 else { return nil }
        guard take(".") else { return second * 1000 }
        let count = rest.prefix(3).prefix(while: isDigit).count
        guard count > 0, let fraction = number(digits: count) else { return nil }
        return second * 1000 + fraction * [100, 10, 1][count - 1]
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// Nil if the month has no such day.
private func startOfDay(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard (1...12).contains(month), day >= 1, day <= daysOfMonth(month, year: year) else {
        return nil
    }
    return daysSince1970(year, month, day) * millisecondsPerDay
}

private func daysOfMonth(_ month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    case _: 31
    }
}

private func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
}

/// Uses the proleptic Gregorian calendar. Years start in March, so that a leap day is the last day
/// of its year.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let leapDays =
        floorDivide(marchYear, 4) - floorDivide(marchYear, 100) + floorDivide(marchYear, 400)
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return marchYear * 365 + leapDays + dayOfYear - 719_468
}

private func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor - (number % divisor < 0 ? 1 : 0)
}

/// The readable form: `2026-11-21T10:30:00Z`, with milliseconds if they are not zero. Outside years
/// of four digits, the number of milliseconds.
package func readableInstant(milliseconds: Int64) -> String {
    let text = preciseInstant(milliseconds: milliseconds)
    return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
}

/// The form for machines: `2026-11-21T10:30:00.000Z`, always with three digits of a fraction.
/// Outside years of four digits, the number of milliseconds. An answer may have thousands of them,
/// so that nothing but the text itself is allocated.
package func preciseInstant(milliseconds: Int64) -> String {
    guard hasYearOfFourDigits(milliseconds) else { return "\(milliseconds)" }
    return String(unsafeUninitializedCapacity: preciseInstantBytes) { bytes in
        write(milliseconds, to: bytes)
        return preciseInstantBytes
    }
}

/// Calls `use` with the bytes of `preciseInstant` between two quotes.
package func withQuotedInstant(
    milliseconds: Int64, _ use: (UnsafeBufferPointer<UInt8>) -> Void
) {
    guard hasYearOfFourDigits(milliseconds) else {
        return Array("\"\(milliseconds)\"".utf8).withUnsafeBufferPointer(use)
    }
    let count = preciseInstantBytes + 2
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
        bytes[0] = UInt8(ascii: "\"")
        write(milliseconds, to: UnsafeMutableBufferPointer(rebasing: bytes[1..<count - 1]))
        bytes[count - 1] = UInt8(ascii: "\"")
        use(UnsafeBufferPointer(bytes))
    }
}

private let preciseInstantBytes = 24

/// The year 0 begins, and the year 9999 ends.
private let firstPreciseInstant: Int64 = -62_167_219_200_000
private let lastPreciseInstant: Int64 = 253_402_300_799_999

private func hasYearOfFourDigits(_ milliseconds: Int64) -> Bool {
    (firstPreciseInstant...lastPreciseInstant).contains(milliseconds)
}

/// The nearest time whose year has four digits, for clients that read no others.
package func nearestPreciseInstant(milliseconds: Int64) -> Int64 {
    min(max(milliseconds, firstPreciseInstant), lastPreciseInstant)
}

/// Writes the 24 bytes of a time whose year has four digits.
private func write(_ milliseconds: Int64, to bytes: UnsafeMutableBufferPointer<UInt8>) {
    let days = floorDivide(milliseconds, millisecondsPerDay)
    let rest = UInt32(milliseconds - days * millisecondsPerDay)
    let (year, month, day) = civilDate(daysSince1970: days)
    func put(_ number: UInt32, at place: Int, before mark: Unicode.Scalar) {
        bytes[place] = UInt8(0x30 + number / 10)
        bytes[place + 1] = UInt8(0x30 + number % 10)
        bytes[place + 2] = UInt8(truncatingIfNeeded: mark.value)
    }
    let seconds = rest / 1000
    put(UInt32(year / 100), at: 0, before: "-")
    put(UInt32(year % 100), at: 2, before: "-")
    put(UInt32(month), at: 5, before: "-")
    put(UInt32(day), at: 8, before: "T")
    put(seconds / 3600, at: 11, before: ":")
    put(seconds / 60 % 60, at: 14, before: ":")
    put(seconds % 60, at: 17, before: ".")
    put(rest % 1000 / 10, at: 20, before: "Z")
    bytes[22] = UInt8(0x30 + rest % 10)
    bytes[23] = UInt8(ascii: "Z")
}

/// The inverse of `daysSince1970`, by the same years from March on. A cycle of the calendar has 400
/// years.
private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let cycle = floorDivide(shifted, 146_097)
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
        (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
        yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month,
        dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
}
