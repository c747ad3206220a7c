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
    let days = floorDivide(milliseconds, millisecondsPerDay)
    let rest = (milliseconds % millisecondsPerDay + millisecondsPerDay) % millisecondsPerDay
    guard let date = civilDate(daysSince1970: days) else { return "\(milliseconds)" }
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, to: 2) }
    let fraction = rest % 1000 == 0 ? "" : "." + padded(rest % 1000, to: 3)
    return "\(date)T\(time.joined(separator: ":"))\(fraction)Z"
}

private func civilDate(daysSince1970 days: Int64) -> String? {
    let estimate = floorDivide(days * 400, 146_097) + 1970
    for year in estimate - 1...estimate + 1 where (0...9999).contains(year) {
        let dayOfYear = days - daysSince1970(year, 1, 1)
        guard dayOfYear >= 0, dayOfYear < (isLeap(year) ? 366 : 365) else { continue }
        let month = (1...12).last { daysSince1970(year, $0, 1) <= days } ?? 1
        let day = days - daysSince1970(year, month, 1) + 1
        return [padded(year, to: 4), padded(month, to: 2), padded(day, to: 2)]
            .joined(separator: "-")
    }
    return nil
}

private func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
