import Glibc

/// A time of a monotonic clock.
struct Moment: Comparable {
    let nanoseconds: UInt64

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

    static func + (moment: Moment, seconds: Double) -> Moment {
        Moment(nanoseconds: moment.nanoseconds + UInt64(seconds * 1e9))
    }

    func seconds(since other: Moment) -> Double {
        Double(nanoseconds - other.nanoseconds) / 1e9
    }

    /// 0 if `other` is later.
    func microseconds(since other: Moment) -> UInt64 {
        nanoseconds > other.nanoseconds ? (nanoseconds - other.nanoseconds) / 1000 : 0
    }
}

/// The processor time that a process has used.
enum ProcessorTime {
    static var own: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Reported by Linux in steps of 10 ms.
    static func of(_ process: Int32) throws(Failure) -> Double {
        let path = "/proc/\(process)/stat"
        guard let file = fopen(path, "r") else { throw .system("'\(path)' cannot be read") }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        guard fgets(&buffer, CInt(buffer.count), file) != nil else {
            throw .system("'\(path)' cannot be read")
        }
        // The name may contain spaces; the first word after it is field 3.
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard words.count > 13, let user = Double(words[12]), let system = Double(words[13]) else {
            throw Failure("'\(path)' is not as it should be")
        }
        return (user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
