import ChangeRules
import EngineKit
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

/// Errors in a query contain their position.
@Suite struct FilterCheckTests {
    private func fault(
        _ filter: String? = nil, sort: String = "", fields: [String]? = nil,
        limits: Limits = Limits()
    ) async throws -> QueryFault? {
        let bench = try await TestBench(Documents.things, limits: limits)
        do {
            _ = try await bench.person("a").find(filter, sort: sort, fields: fields)
            return nil
        } catch SyncError.find(.query(let fault)) {
            return fault
        } catch let fault as QueryFault {
            return fault
        }
    }

    @Test(arguments: [
        (#"{"eq": ["nam", "a"]}"#, "filter.eq[0]", "has no field 'nam'"),
        (#"{"eq": ["Name", "a"]}"#, "filter.eq[0]", "has no field 'Name'"),
        (#"{"eq": ["", "a"]}"#, "filter.eq[0]", "has no field ''"),
        (#"{"null": "nam"}"#, "filter.null", "has no field 'nam'"),
        (
            #"{"and": [{"null": "box"}, {"not": {"in": ["nam", []]}}]}"#, "filter.and[1].not.in[0]",
            "has no field 'nam'"
        ),
        (#"{"or": [{"like": ["box.nam", "a"]}]}"#, "filter.or[0].like[0]", "'Box' has no field"),
        (#"{"eq": ["name.size", "a"]}"#, "filter.eq[0]", "'name' is no relation"),
        (#"{"eq": ["box.inside.name", "a"]}"#, "filter.eq[0]", "more than one step"),
        (#"{"eq": ["$erased", true]}"#, "filter.eq[0]", "there is no '$erased'"),
        (#"{"eq": ["name", {"field": "nam"}]}"#, "filter.eq[1].field", "has no field 'nam'"),
        (#"{"eq": ["name", 1]}"#, "filter.eq[1]", "no value of 'name'"),
        (#"{"eq": ["whole", 1.5]}"#, "filter.eq[1]", "no value of 'whole'"),
        (#"{"eq": ["whole", 9223372036854775808]}"#, "filter.eq[1]", "no value of 'whole'"),
        (#"{"gt": ["price", "1e5"]}"#, "filter.gt[1]", "no value of 'price'"),
        (#"{"eq": ["box", "left"]}"#, "filter.eq[1]", "no value of 'box'"),
        (#"{"eq": ["$guid", "1"]}"#, "filter.eq[1]", "no value of '$guid'"),
        (#"{"eq": ["day", "2020-01-01"]}"#, "filter.eq[1]", "no value of 'day'"),
        (#"{"in": ["whole", [1, "2"]]}"#, "filter.in[1][1]", "no value of 'whole'"),
        (#"{"between": ["whole", 1, "2"]}"#, "filter.between[2]", "no value of 'whole'"),
        (#"{"eq": ["name", null]}"#, "filter.eq[1]", "compared with null"),
        (#"{"in": ["name", ["a", null]]}"#, "filter.in[1][1]", "compared with null"),
        (#"{"eq": ["name", {"field": "whole"}]}"#, "filter.eq[1].field", "'name' is TEXT and"),
        (#"{"eq": ["day", {"field": "whole"}]}"#, "filter.eq[1].field", "'day' is DATE and"),
        (#"{"eq": ["name", {"field": "$guid"}]}"#, "filter.eq[1].field", "is BELONGS_TO"),
        (#"{"like": ["name", "a\\"]}"#, "filter.like[1]", "cannot be matched"),
    ])
    func mistakeIsNamedWithItsPlace(filter: String, path: String, words: String) async throws {
        let fault = try #require(try await fault(filter))
        #expect(fault.code == .filterIllegal && fault.path == path, "\(fault)")
        #expect(fault.message.contains(words), "\(fault)")
        #expect(!fault.help.isEmpty)
    }

    /// Operators of a type in addition to `eq`, `ne`, `in` and `null`, which all types have.
    @Test(arguments: [
        ("name", true, true), ("$owner", true, true), ("$group", true, true),
        ("whole", true, false), ("price", true, false), ("day", true, false),
        ("box.size", true, false), ("done", false, false), ("$conflicted", false, false),
        ("box", false, false), ("$guid", false, false), ("photo", false, false),
    ])
    func everyTypeHasItsOperators(field: String, ranges: Bool, patterns: Bool) async throws {
        for word in ["eq", "ne", "lt", "le", "gt", "ge"] {
            let fault = try await fault(#"{"\#(word)": ["\#(field)", {"field": "\#(field)"}]}"#)
            #expect((fault == nil) == (ranges || word == "eq" || word == "ne"), "\(word)")
            if let fault { #expect(fault.path == "filter.\(word)") }
        }
        #expect(try await fault(#"{"in": ["\#(field)", []]}"#) == nil)
        #expect(try await fault(#"{"null": "\#(field)"}"#) == nil)
        // Operands of the wrong type; they are checked only if the operator is allowed.
        let between = try await fault(#"{"between": ["\#(field)", [], []]}"#)
        #expect(between?.path == (ranges ? "filter.between[1]" : "filter.between"))
        for word in ["like", "prefix"] {
            let fault = try await fault(#"{"\#(word)": ["\#(field)", "a"]}"#)
            #expect(fault?.path == (patterns ? nil : "filter.\(word)"))
        }
    }

    @Test func filterIsOnlySoLarge() async throws {
        var limits = Limits()
        limits.filterDepth = 3
        limits.filterConditions = 4
        limits.filterValues = 2
        let leaf = #"{"null": "name"}"#
        let table: [(filter: String, path: String?)] = [
            (#"{"not": {"not": \#(leaf)}}"#, nil),
            (#"{"not": {"not": {"not": \#(leaf)}}}"#, "filter.not.not.not"),
            (#"{"and": [\#(leaf), {"or": [{"not": \#(leaf)}]}]}"#, "filter.and[1].or[0].not"),
            (#"{"and": [\#(leaf), \#(leaf), \#(leaf)]}"#, nil),
            (#"{"and": [\#(leaf), \#(leaf), \#(leaf), \#(leaf)]}"#, "filter.and[3]"),
            (#"{"in": ["whole", [1, 2]]}"#, nil),
            (#"{"in": ["whole", [1, 2, 3]]}"#, "filter.in[1]"),
        ]
        for (filter, path) in table {
            let fault = try await fault(filter, limits: limits)
            #expect(fault?.path == path && fault.map { $0.code == .filterTooLarge } != false)
        }
    }

    @Test(arguments: [
        ("nam", "sort[0]", "has no field 'nam'"), ("name,-nam", "sort[1]", "has no field 'nam'"),
        ("photo", "sort[0]", "which is FILE"), ("name,-name", "sort[1]", "comes twice"),
        ("box.inside.name", "sort[0]", "more than one step"), ("$x", "sort[0]", "there is no '$x'"),
        ("name,note,whole,part,price", "sort", "5 values to sort by are too many"),
    ])
    func illegalSortKeysAreNamed(sort: String, path: String, words: String) async throws {
        let fault = try #require(try await fault(sort: sort))
        #expect(fault.code == .sortIllegal && fault.path == path, "\(fault)")
        #expect(fault.message.contains(words), "\(fault)")
    }

    @Test(arguments: ["nam", "box.name", "$guid", ""])
    func onlyFieldsOfModelCanBeChosen(name: String) async throws {
        let fault = try #require(try await fault(fields: ["name", name]))
        #expect(fault.code == .fieldsIllegal && fault.path == "fields[1]")
    }
}
