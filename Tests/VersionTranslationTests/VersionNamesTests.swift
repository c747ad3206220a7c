import DefinitionModel
import Testing
import VersionTranslation

/// Versions in the order of their deployment, and the names that the last one follows back.
struct NamesCase: Sendable, CustomTestStringConvertible {
    let versions: [String]
    /// As in `box<crate label<tag`.
    let followed: String

    var testDescription: String { versions.joined(separator: " | ") }
}

@Suite struct VersionNamesTests {
    @Test(arguments: cases)
    func earlierVersionFollowsLaterNames(example: NamesCase) throws {
        var names = VersionNames()
        let versions = try example.versions.map { names.next(try version($0)) }
        let last = try #require(versions.last)
        let found = last.models.flatMap { model in
            [(model.name, model.followedBack)] + model.fields.map { ($0.name, $0.followedBack) }
        }.filter { !$0.1.isEmpty }.map { "\($0.0)<\($0.1.joined(separator: " "))" }
        #expect(found.joined(separator: ", ") == example.followed)
        let written = try version(#require(example.versions.last))
        #expect(last.asWritten == written && last.fingerprint == written.fingerprint)
        for model in last.models {
            #expect(Set(model.renamedFrom).isSuperset(of: model.followedBack))
        }
    }

    /// What it left under later names is not taken for values of its own.
    @Test func deploymentOfEarlierWaggleFollowsNothing() throws {
        var names = VersionNames()
        let old = try version("box: tag TEXT")
        _ = names.next(old)
        _ = names.next(try version("box: label<tag TEXT"))
        #expect(names.next(old, followsBack: false) == old)
        #expect(
            names.next(try version("box: tag TEXT, mass DECIMAL")).models[0].fields.allSatisfy {
                $0.followedBack.isEmpty
            })
    }
}

private let cases = [
    NamesCase(
        versions: ["box: tag TEXT", "crate<box: label<tag TEXT", "box: tag TEXT"],
        followed: "box<crate, tag<label"),
    // Over several versions, of which the last one tells nothing of the first.
    NamesCase(
        versions: [
            "box: tag TEXT", "box: label<tag TEXT", "box: name<label TEXT", "box: tag TEXT",
        ],
        followed: "tag<name"),
    NamesCase(
        versions: [
            "box: tag TEXT", "crate<box: label<tag TEXT", "crate: label TEXT, mass DECIMAL",
            "box: tag TEXT",
        ], followed: "box<crate, tag<label"),
    // And on again: the later version says by itself what it renames.
    NamesCase(
        versions: [
            "box: tag TEXT", "box: label<tag TEXT", "box: name<label TEXT", "box: tag TEXT",
            "box: name<label TEXT",
        ], followed: "name<tag"),
    NamesCase(
        versions: ["box: tag TEXT", "box: label<tag TEXT", "box: tag TEXT", "box: label<tag TEXT"],
        followed: ""),
    // The same version keeps what it follows.
    NamesCase(
        versions: ["box: tag TEXT", "box: label<tag TEXT", "box: tag TEXT", "box: tag TEXT"],
        followed: "tag<label"),
    // The definition says otherwise, or has both.
    NamesCase(
        versions: ["box: tag TEXT", "box: label<tag TEXT", "box: note<label TEXT, tag TEXT"],
        followed: ""),
    NamesCase(
        versions: ["box: tag TEXT", "box: label<tag TEXT", "box: label TEXT, tag TEXT"],
        followed: ""),
    NamesCase(
        versions: [
            "box: tag TEXT, mark TEXT", "box: label<tag mark TEXT", "box: tag TEXT, mark TEXT",
        ],
        followed: "tag<label"),
    // Values of another type stay hidden.
    NamesCase(
        versions: ["box: tag INTEGER", "box: label<tag DECIMAL", "box: tag INTEGER"], followed: ""),
    NamesCase(
        versions: ["box: tag TEXT", "crate<box: tag TEXT", "box: tag DATE"], followed: ""),
    NamesCase(versions: ["box: tag TEXT", "crate<box: tag TEXT", "bag: tag TEXT"], followed: ""),
]
