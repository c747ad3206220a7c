import DefinitionModel
import Testing
import VersionTranslation

/// A client of the first version that has synchronized under `before`, and does so under the last.
struct KeptCase: Sendable, CustomTestStringConvertible {
    let client: String
    var before: [String] = []
    let after: [String]
    /// The former name of the only model, and the present names of its fields by the former ones;
    /// nil if its records may look different.
    let kept: (model: String, fields: [String: String])?

    var testDescription: String { "\(client) | \(before) | \(after)" }
}

@Suite struct KeptWordsTests {
    @Test(arguments: cases)
    func clientReadsUnchangedRecordsAsBefore(example: KeptCase) throws {
        let client = try version(example.client)
        let before = try example.before.map { try version($0) }
        let after = before + (try example.after.map { try version($0) })
        let words = KeptWords(
            before: ClientTranslation(of: client, along: .later(before)),
            after: ClientTranslation(of: client, along: .later(after)),
            over: Array(([client] + after)[before.count...]))
        let kept = words[try #require(after.last?.models.first).name]
        #expect(kept?.formerName == example.kept?.model)
        #expect(kept?.fields == example.kept?.fields)
    }
}

private let cases = [
    KeptCase(
        client: "box: tag TEXT", after: ["crate<box: label<tag TEXT"],
        kept: ("box", ["tag": "label"])),
    KeptCase(
        client: "box: tag TEXT", before: ["crate<box: label<tag TEXT"],
        after: ["case<crate box: name<label tag TEXT, note TEXT"],
        kept: ("crate", ["label": "name"])),
    KeptCase(
        client: "box: mass INTEGER", after: ["box: mass DECIMAL, tag TEXT"],
        kept: ("box", ["mass": "mass"])),
    KeptCase(
        client: "box: tag TEXT, mass DECIMAL", before: ["box: tag TEXT"],
        after: ["crate<box: tag TEXT"], kept: ("box", ["tag": "tag"])),
    // A field is gone or back.
    KeptCase(client: "box: tag TEXT, mass DECIMAL", after: ["box: tag TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT, mass DECIMAL", before: ["box: tag TEXT"],
        after: ["box: tag TEXT, mass DECIMAL"], kept: nil),
    KeptCase(client: "box: tag TEXT", after: ["box: tag DATE"], kept: nil),
    // A model is back.
    KeptCase(
        client: "box: tag TEXT", before: ["bag: tag TEXT"], after: ["box: tag TEXT"], kept: nil),
    // The values of two fields, or the records of two models, have become those of one.
    KeptCase(
        client: "box: tag TEXT", before: ["box: tag TEXT, label TEXT"],
        after: ["box: name<tag label TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT", before: ["box: tag TEXT, label TEXT"],
        after: ["box: tag<label TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT", before: ["box: tag TEXT\nbag: tag TEXT"],
        after: ["box<bag: tag TEXT"], kept: nil),
    // In a version between them, of which the last one tells nothing.
    KeptCase(
        client: "box: tag TEXT\nbag: tag TEXT",
        after: ["crate<box bag: tag TEXT", "crate: tag TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT",
        after: ["box: tag TEXT\nbag: tag TEXT", "box<bag: tag TEXT", "box: tag TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT", before: ["box: tag TEXT, label TEXT"],
        after: ["box: name<tag label TEXT", "box: name TEXT"], kept: nil),
    KeptCase(
        client: "box: tag TEXT", after: ["crate<box: label<tag TEXT", "crate: name<label TEXT"],
        kept: ("box", ["tag": "name"])),
    // A name of which the version before knows nothing may be that of older values.
    KeptCase(
        client: "box: tag TEXT", after: ["box: name<tag label TEXT"], kept: nil),
]
