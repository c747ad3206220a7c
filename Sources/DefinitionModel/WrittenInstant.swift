/// An instant as a definition writes it: a day (`2026-11-21`), a time of it in UTC
/// (`2026-11-21T10:30Z`, with seconds and milliseconds or without), or milliseconds since 1970 in
/// UTC. A day stands for all its milliseconds.
package struct WrittenInstant: Hashable, Sendable {
    /// Since 1970 in UTC. The first that the text stands for.
    package let firstMilliseconds: Int64
    /// The last that the text stands for; another than the first for a day.
    package let lastMilliseconds: Int64

    /// Nil when it is none of these, or a day or time that there is not. Years have four digits.
    package init?(_ text: String) {
        if let milliseconds = Int64(strict: text) {
            firstMilliseconds = milliseconds
            lastMilliseconds = milliseconds
        } else if let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/),
            let start = startOfDay(match.output.1, match.output.2, match.output.3)
        {
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

private func instant(_ text: String) -> Int64? {
    let form = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?Z/
    guard let match = text.wholeMatch(of: form),
        let start = startOfDay(match.output.1, match.output.2, match.output.3),
        let hour = Int64(match.output.4), hour < 24,
        let minute = Int64(match.output.5), minute < 60,
        let second = Int64(match.output.6 ?? "0"), second < 60
    else { return nil }
    let fraction = (match.output.7 ?? "0") + "00"
    guard let milliseconds = Int64(fraction.prefix(3)) else { return nil }
    return start + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
}

/// Nil for a day that no month has.
private func startOfDay(_ year: Substring, _ month: Substring, _ day: Substring) -> Int64? {
    guard let year = Int64(year), let month = Int64(month), let day = Int64(day),
        (1...12).contains(month), day >= 1, day <= daysOfMonth(month, year: year)
    else { return nil }
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

/// In the Gregorian calendar, also before its time. Years are counted from March, so that the day
/// that some years have more is a year's last.
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

/// As people read it: `2026-11-21T10:30:00Z`, with milliseconds where it has some. Out of the
/// years that have four digits, the milliseconds.
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
