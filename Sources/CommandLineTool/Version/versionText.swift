import Foundation

/// The version of this program. `CHANGELOG.md` has a section for each.
let versionNumber = "0.1.0"

/// The version, and the commit that the program was made from, as `waggle --version` prints them.
///
/// `make package` appends the commit to the finished program, so that nothing is compiled anew for
/// it. A program that was built without that says so.
func versionText(ofProgram program: URL? = Bundle.main.executableURL) -> String {
    let stamp = program.flatMap(lastBytes).flatMap(commitStamp)
    return "\(versionNumber) (\(stamp ?? "built from source, commit not recorded"))"
}

/// The text after the last mark: a line at the very end of a program.
func commitStamp(in end: [UInt8]) -> String? {
    let text = String(decoding: end, as: UTF8.self)
    guard let mark = text.ranges(of: "\nwaggle-build: ").last, text.last == "\n" else { return nil }
    let stamp = text[mark.upperBound...].dropLast()
    return stamp.isEmpty || stamp.contains(where: \.isNewline) ? nil : String(stamp)
}

private let maxStampBytes: UInt64 = 128

private func lastBytes(of program: URL) -> [UInt8]? {
    guard let file = try? FileHandle(forReadingFrom: program) else { return nil }
    defer { try? file.close() }
    guard let size = try? file.seekToEnd(),
        (try? file.seek(toOffset: size - min(size, maxStampBytes))) != nil,
        let end = try? file.readToEnd()
    else { return nil }
    return [UInt8](end)
}
