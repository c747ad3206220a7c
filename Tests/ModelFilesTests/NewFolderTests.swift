import Foundation
import ModelFiles
import Testing

/// Creating a folder atomically.
@Suite struct NewFolderTests {
    private let files: [(path: String, bytes: [UInt8])] = [
        ("a", [1]), (".b", [0xFF, 0]), ("c/d/e", []),
    ]

    /// The names in the folder, including its own.
    private func names(in scratch: Scratch) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: scratch.path).sorted()
    }

    @Test(arguments: [false, true])
    func newOrEmptyFolderIsFilled(isThere: Bool) throws {
        let scratch = try Scratch()
        let path = scratch.path("New")
        if isThere {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
        try NewFolder(path: path).write(files)
        #expect(
            try names(in: scratch) == [
                "New", "New/.b", "New/a", "New/c", "New/c/d", "New/c/d/e",
            ])
        #expect(try Data(contentsOf: URL(filePath: "\(path)/.b")) == Data([0xFF, 0]))
    }

    @Test(arguments: ["New/mine", "New"])
    func existingFilesAreUnchanged(file: String) throws {
        let scratch = try Scratch()
        if file != "New" {
            try FileManager.default.createDirectory(
                atPath: scratch.path("New"), withIntermediateDirectories: false)
        }
        try scratch.write("mine", to: file)
        let before = try names(in: scratch)
        let folder = NewFolder(path: scratch.path("New"))
        let error = #expect(throws: ModelFileError.taken("New")) { try folder.write(files) }
        #expect(throws: ModelFileError.taken("New")) { try folder.checkIsFree() }
        #expect(error?.message == "there is something in 'New' already")
        #expect(error?.isInputAtFault == true)
        #expect(try names(in: scratch) == before)
        #expect(try String(contentsOfFile: scratch.path(file), encoding: .utf8) == "mine")
    }

    @Test func halfOfItIsNothing() throws {
        let scratch = try Scratch()
        let tooLong = String(repeating: "x", count: 300)
        let error = #expect(throws: ModelFileError.self) {
            try NewFolder(path: scratch.path("New")).write(files + [("f/\(tooLong)", [])])
        }
        let start = "'\(scratch.path("New"))' cannot be written: "
        #expect(error?.message.hasPrefix(start) == true)
        #expect(error?.isInputAtFault == false)
        #expect(try names(in: scratch) == [])
    }

    @Test func parentFolderMustExist() throws {
        let scratch = try Scratch()
        let path = scratch.path("Gone/New")
        let error = #expect(throws: ModelFileError.self) {
            try NewFolder(path: path).write(files)
        }
        #expect(error?.message.hasPrefix("'\(path)' cannot be written: ") == true)
        #expect(try names(in: scratch) == [])
    }
}
