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
        var again = VersionNames()
        #expect(versions.map { again.next($0) } == versions)
        for model in last.models {
            #expect(Set(model.renamedFrom).isSuperset(of: model.followedBack))
        }
    }

    /// Values that it left under later names are not taken for its own.
    @Test func deploymentOfEarlierWaggleFollowsNothing() throws {
        var names = VersionNames()
        let old = try version("box: tag TEXT")
        _ = names.next(old)
        _ = names.next(try version("box: label<tag TEXT"))
        #expect(names.next(old, followsBack: false) == old)
        _ = names.next(try version("box: tag TEXT, mass DECIMAL"))
        #expect(names.next(old) == old)
    }

    /// The first version and the last one, with the names that those between them have given.
    @Test(arguments: [
        ["box: tag TEXT", "crate<box: label<tag TEXT", "crate: label TEXT"],
        ["box: tag TEXT", "crate<box: label<tag TEXT", "chest<crate: label TEXT"],
        ["box: tag TEXT", "crate<box: label<tag TEXT", "crate: mass DECIMAL", "crate: label TEXT"],
    ])
    func comparedVersionHasFormerNames(texts: [String]) throws {
        let versions = try texts.map { try version($0) }
        let (old, new) = (versions[0], try #require(versions.last))
        for (from, to, path) in [
            (old, new, VersionPath.later(Array(versions.dropFirst()))),
            (new, old, .earlier(versions.dropLast().reversed())),
        ] {
            let found = try #require(to.naming(from, along: path).models.first)
            #expect(found.renamedFrom.contains(from.models[0].name))
            #expect(found.fields[0].renamedFrom == [from.models[0].fields[0].name])
        }
        #expect(new.naming(new, along: .later([])) == new)
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
    // Fields that the version before does not have are hidden, and come back.
    NamesCase(
        versions: [
            "box: tag TEXT, mass DECIMAL", "box: label<tag TEXT, mass DECIMAL",
            "box: mass DECIMAL", "box: tag TEXT, mass DECIMAL",
        ], followed: "tag<label"),
    // By the name that had the values, also if another one has had the earlier name since.
    NamesCase(
        versions: [
            "box: tag TEXT", "box: zeta<tag TEXT", "box: zeta TEXT, tag TEXT",
            "box: zeta TEXT, alpha<tag TEXT", "box: tag TEXT",
        ], followed: "tag<zeta"),
    // Values of another type: the deployment is refused, as without a rename.
    NamesCase(
        versions: ["box: tag INTEGER", "box: label<tag DECIMAL", "box: tag INTEGER"],
        followed: "tag<label"),
    // The definition says otherwise.
    NamesCase(
        versions: [
            "box: label TEXT", "box: tag<label TEXT", "box: label<tag TEXT", "box: tag<label TEXT",
        ], followed: ""),
    // The version before has both.
    NamesCase(
        versions: [
            "box: tag TEXT", "box: label<tag TEXT", "box: label TEXT, tag TEXT", "box: tag TEXT",
        ], followed: ""),
    NamesCase(
        versions: [
            "box: tag TEXT", "crate<box: tag TEXT", "crate: tag TEXT\nbox: mass DECIMAL",
            "box: tag TEXT",
        ], followed: ""),
    // Merged models stay merged.
    NamesCase(
        versions: [
            "box: tag TEXT, mark TEXT", "box: label<tag mark TEXT", "box: tag TEXT, mark TEXT",
        ], followed: ""),
    NamesCase(
        versions: [
            "box: tag TEXT\nbag: tag TEXT", "crate<box bag: label<tag TEXT",
            "box: tag TEXT\nbag: tag TEXT",
        ], followed: ""),
    // A version that was not deployed before: its names may be those of something else.
    NamesCase(
        versions: ["note: text TEXT", "memo<note: text TEXT", "note: subject TEXT"], followed: ""),
    NamesCase(
        versions: ["box: tag TEXT", "box: label<tag TEXT", "box: tag TEXT, mass DECIMAL"],
        followed: ""),
]
