import Archives
import Foundation
import MobeelizerWire

/// The initialisation for libFuzzer. If `WAGGLE_SEEDS` names a folder, writes archives to it.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeRawPointer?, _ arguments: UnsafeRawPointer?) -> CInt {
    guard let folder = environment["WAGGLE_SEEDS"] else { return 0 }
    do throws(ArchiveError) {
        for isStored in [false, true] {
            let path = "\(folder)/own-\(isStored ? "stored" : "deflated").zip"
            unlink(path)
            let writer = try ArchiveWriter(path: path, modifiedSeconds: 1_800_000_000)
            let lines = String(repeating: "{\"model\":\"film\",\"guid\":\"1\"}\n", count: 5)
            try writer.add("data", bytes: Array(lines.utf8), isStored: isStored)
            try writer.add("deletedFiles", bytes: [], isStored: isStored)
            try writer.add("ż", bytes: [0xEF, 0xBB, 0xBF, 65, 13, 10], isStored: isStored)
            try writer.finish()
        }
        return 0
    } catch {
        giveUp("\(error)")
    }
}

/// The entry point of libFuzzer. Each input is read as an archive, as a body, and as a line of
/// records.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let broken =
        brokenInvariants(ofArchive: input) + brokenLineInvariants(of: input)
        + brokenBodyInvariants(of: input, contentType: "multipart/form-data; boundary=b") {
            1 + Int(input[$0 % input.count]) % 40
        }
    guard broken.isEmpty else { fatalError(broken.joined(separator: "\n")) }
    return 0
}

private let environment = ProcessInfo.processInfo.environment
private let folder = environment["WAGGLE_FUZZ_FOLDER"] ?? NSTemporaryDirectory()
private let (archive, copy) = ("\(folder)/\(getpid()).zip", "\(folder)/\(getpid())-copy.zip")

/// Small limits, which inputs of a few thousand bytes can exceed.
private let limits: ArchiveLimits = {
    var limits = ArchiveLimits()
    limits.entries = 30
    limits.directoryBytes = 4 << 10
    limits.entryBytes = 64 << 10
    limits.totalBytes = 128 << 10
    limits.freelyExpandedBytes = 16 << 10
    limits.expansion = 50
    return limits
}()

private func brokenInvariants(ofArchive bytes: [UInt8]) -> [String] {
    let descriptor = open(archive, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count,
        close(descriptor) == 0
    else {
        giveUp("cannot write '\(archive)': \(String(cString: strerror(errno)).lowercased())")
    }
    defer {
        unlink(archive)
        unlink(copy)
    }
    return brokenArchiveInvariants(at: archive, within: limits, copy: copy)
}

/// For failures of the machine. libFuzzer would attribute `exit` to the input.
private func giveUp(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
    _exit(1)
}
