import Foundation
import SyncProtocol
import TestKit
import Testing

/// The exact bytes of messages, as a reference for clients in other languages.
///
/// `UPDATE_GOLDEN=1` rewrites the files; review the differences.
@Suite struct GoldenTests {
    @Test(arguments: GoldenMessage.all)
    func encodedMessagesEqualGoldenFiles(message: GoldenMessage) throws {
        let json = try message.encode()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try json.write(to: URL(filePath: repositoryPath(message.path)))
        }
        let kept = String(decoding: try bytes(ofFile: message.path), as: UTF8.self)
        #expect(
            String(decoding: json, as: UTF8.self) == kept,
            "set UPDATE_GOLDEN=1 and look at the difference")
    }

    @Test(arguments: GoldenMessage.all)
    func goldenFilesAreDecoded(message: GoldenMessage) throws {
        #expect(try message.isDecoded(Data(try bytes(ofFile: message.path))))
    }

    /// A truncated message is invalid, wherever it ends.
    @Test(arguments: GoldenMessage.all)
    func noPartOfMessageIsMessage(message: GoldenMessage) throws {
        let whole = try bytes(ofFile: message.path).dropLast()
        for count in 0..<whole.count {
            #expect(throws: DecodingError.self) {
                try message.isDecoded(Data(whole.prefix(count)))
            }
        }
    }

    @Test func everyFileBelongsToMessage() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: repositoryPath("Tests/SyncProtocolTests/Golden"))
        #expect(Set(files) == Set(GoldenMessage.all.map { "\($0.name).json" }))
    }
}
