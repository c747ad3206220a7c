import Foundation
import ModelFiles
import SourceGenerator
import Testing

/// Writing models to a folder.
@Suite struct ModelFolderTests {
    private let drafts = [
        SourceDraft(path: "A.swift", text: "// shop\nA\n"),
        SourceDraft(path: "B.swift", text: "// shop\nB\n"),
    ]

    @Test func unchangedFilesAreNotWritten() throws {
        let scratch = try Scratch()
        let folder = ModelFolder(path: scratch.path("Models"), suffix: ".swift")
        #expect(try folder.write(drafts).writes == drafts)
        try scratch.write("// shop\n", to: "Models/B.swift")
        try scratch.write("// shop\n", to: "Models/C.swift")
        try scratch.write("// shop\n", to: "Models/D.txt")
        let plan = try folder.write(drafts)
        #expect(plan.writes == [drafts[1]] && plan.unchanged == ["A.swift"])
        #expect(plan.stale == ["C.swift"])
        let text = try String(contentsOfFile: scratch.path("Models/B.swift"), encoding: .utf8)
        #expect(text == drafts[1].text)
    }

    @Test func nothingIsWrittenWhereSomethingIsInWay() throws {
        let scratch = try Scratch()
        try scratch.write("// mine\n", to: "B.swift")
        #expect(throws: ModelFileError.blocked(["B.swift"])) {
            try ModelFolder(path: scratch.path, suffix: ".swift").write(drafts)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("A.swift")))
    }

    @Test func folderThatIsNoneIsNamed() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "file")
        let error = #expect(throws: ModelFileError.self) {
            try ModelFolder(path: scratch.path("file"), suffix: ".swift").write(drafts)
        }
        #expect(error?.message.hasPrefix("'\(scratch.path("file"))' cannot be read: ") == true)
        #expect(error?.isInputAtFault == false)
    }
}
