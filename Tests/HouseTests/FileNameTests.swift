import Testing

@Suite struct FileNameTests {
    @Test(arguments: [
        ("A.swift", "struct A {}"), ("A.swift", "extension A {}"),
        ("A+b.swift", "extension Other.A {}"), ("A+B.swift", "indirect enum A {}"),
        ("a.swift", "func a() {}"), ("Package.swift", "let a = 1"),
    ])
    func fileIsNamedAfterDeclaration(name: String, code: String) throws {
        let file = text(code, path: "Sources/Records/\(name)")
        #expect(try fileNameFindings(in: [file]) == [])
    }

    @Test(arguments: [
        ("A.swift", "struct B {}"), ("A+b.swift", "// struct A {}"), ("A.swift", "func A() {}"),
    ])
    func anotherNameIsFound(name: String, code: String) throws {
        let file = text(code, path: "Sources/Records/\(name)")
        #expect(try fileNameFindings(in: [file]).count == 1)
    }

    @Test func typeOfTwoModulesIsFound() throws {
        let files = [
            text("@frozen package enum A {\n    struct B {}\n}", path: "Sources/Records/a.swift"),
            text("final class A {}\nextension B {}", path: "Sources/SyncEngine/a.swift"),
            text("struct B {}", path: "Sources/SyncEngine/b.swift"),
            text("private final class C {}", path: "Sources/Records/c.swift"),
            text("fileprivate enum C {}", path: "Sources/SyncEngine/c.swift"),
        ]
        let modules: Set = ["Records", "SyncEngine"]
        #expect(try duplicateTypeNames(in: files) == ["A": modules, "C": modules])
    }
}
