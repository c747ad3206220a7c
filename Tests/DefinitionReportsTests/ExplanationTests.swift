import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import Testing

/// The sentences of explanations, for `assignment.xml`.
@Suite struct ExplanationTests {
    struct Case: Sendable {
        let role: String
        let operation: Operation
        let subject: String
        let owner: RecordOwner
        let answer: String
        let lines: [Int]

        init(
            _ role: String, _ operation: Operation, _ subject: String, _ owner: RecordOwner,
            _ answer: String, lines: [Int]
        ) {
            self.role = role
            self.operation = operation
            self.subject = subject
            self.owner = owner
            self.answer = answer
            self.lines = lines
        }
    }

    static let cases = [
        Case(
            "editors-desk", .read, "article", .other,
            "yes: the role 'editors-desk' may 'read' records of 'article' at ALL", lines: [39]),
        Case(
            "authors-mobile", .read, "article", .group,
            "yes: the role 'authors-mobile' may 'read' records of 'article' at GROUP, and this one "
                + "is of someone else in the same group", lines: [37]),
        Case(
            "authors-mobile", .read, "article", .other,
            "no: the role 'authors-mobile' may 'read' records of 'article' at GROUP, but this one "
                + "is of someone in another group", lines: [37]),
        Case(
            "authors-mobile", .update, "article", .group,
            "no: the role 'authors-mobile' may 'update' records of 'article' at OWN, but this one "
                + "is of someone else in the same group", lines: [37]),
        Case(
            "authors-mobile", .update, "article.draft", .moved,
            "no: the role 'authors-mobile' may 'update' the field 'draft' of 'article' at GROUP, "
                + "but this one is the asker's own, made in a group that they have left",
            lines: [31]),
        Case(
            "authors-mobile", .update, "article.title", .own,
            "yes: the role 'authors-mobile' may 'update' records of 'article' at OWN, and 'update' "
                + "the field 'title' of 'article' at ALL, and this one is the asker's own",
            lines: [37, 24]),
        Case(
            "authors-mobile", .create, "article", .own,
            "yes: the role 'authors-mobile' may 'create' records of 'article' at OWN, and a new "
                + "record is its creator's own", lines: [37]),
        Case(
            "readers-mobile", .read, "article.title", .own,
            "no: the role 'readers-mobile' has no credential for 'article', so it may not 'read' "
                + "its records", lines: [20]),
        Case(
            "authors-mobile", .read, "note.about", .own,
            "no: the role 'authors-mobile' has no credential for 'note', so it may not 'read' its "
                + "records", lines: [43]),
        Case(
            "editors-desk", .create, "article", .own,
            "no: the role 'editors-desk' may not 'create' records of 'article': its right is NONE",
            lines: [39]),
        Case(
            "editors-desk", .resolve, "article", .group,
            "yes: the role 'editors-desk' may 'update' records of 'article' at GROUP, and "
                + "'resolve' conflicts of 'article', and this one is of someone else in the same "
                + "group", lines: [39, 40]),
        Case(
            "editors-desk", .resolve, "article", .other,
            "no: a resolution is an update too, and the role 'editors-desk' may 'update' records "
                + "of 'article' at GROUP, but this one is of someone in another group",
            lines: [39]),
        Case(
            "editors-desk", .resolve, "note", .other,
            "no: a resolution is an update too, and the role 'editors-desk' may not 'update' "
                + "records of 'note': its right is NONE", lines: [55]),
    ]

    @Test(arguments: cases)
    func answerNamesDecidingLine(example: Case) throws {
        let source = try Documents.source("levels")
        let definition = try Documents.definition("levels")
        let names = example.subject.split(separator: ".").map(String.init)
        let inquiry = try Inquiry(
            role: example.role, model: names[0], field: names.dropFirst().first,
            operation: example.operation, owner: example.owner, in: definition)
        let text = renderAsText(
            explain(inquiry, in: definition), file: "levels.xml"
        ) { source.excerpt(at: $0, of: $1) }
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == example.answer)
        let quoted = lines.compactMap { $0.firstMatch(of: /^ +(\d+) \|/) }
        #expect(quoted.compactMap { Int($0.output.1) } == example.lines)
    }

    @Test func attributeIsUnderlined() throws {
        let definition = try Documents.definition("levels")
        let inquiry = try Inquiry(
            role: "authors-mobile", model: "article", field: nil, operation: .resolve,
            owner: .own, in: definition)
        let source = try Documents.source("levels")
        let text = renderAsText(
            explain(inquiry, in: definition), file: "levels.xml"
        ) { source.excerpt(at: $0, of: $1) }
        try expectGolden(text, file: "levels-explain.txt")
    }

    @Test func explanationIsAvailableAsJSON() throws {
        let definition = try Documents.definition("levels")
        let inquiry = try Inquiry(
            role: "editors-desk", model: "article", field: "draft", operation: .read,
            owner: .other, in: definition)
        try expectGolden(
            renderAsJSON(explain(inquiry, in: definition), file: "levels.xml"),
            file: "levels-explain.json")
    }

    @Test func terminalGetsAnswerInColour() throws {
        let definition = try Documents.definition("levels")
        for (owner, answer) in [(RecordOwner.own, "\u{1B}[32myes"), (.other, "\u{1B}[31mno")] {
            let inquiry = try Inquiry(
                role: "authors-mobile", model: "article", field: nil, operation: .read,
                owner: owner, in: definition)
            let text = renderAsText(
                explain(inquiry, in: definition), file: "f", style: .coloured,
                excerpt: { _, _ in [] })
            #expect(text.hasPrefix("\(answer)\u{1B}[0m: the role"))
        }
    }

    @Test(
        arguments: [
            ("editor-desk", "article", nil, UnknownName.Kind.role, 3),
            ("editors-desk", "Article", nil, .model, 2),
            ("editors-desk", "article", "titel", .field(of: "article"), 2),
        ] as [(String, String, String?, UnknownName.Kind, Int)])
    func unknownNameIsReported(
        role: String, model: String, field: String?, kind: UnknownName.Kind, known: Int
    ) throws {
        let definition = try Documents.definition("levels")
        let error = #expect(throws: UnknownName.self) {
            try Inquiry(
                role: role, model: model, field: field, operation: .read, owner: .own,
                in: definition)
        }
        #expect(error?.kind == kind && error?.known.count == known)
    }
}
