import DefinitionModel
import Testing

@Suite struct CodeNamesTests {
    private static let rule = NamingRule(
        noun: "type", taken: ["Date"], suffix: "Model", keywords: ["class"],
        spelled: { $0.replacing("_", with: "") }, fold: { $0.lowercased() }, quote: { "<\($0)>" })

    private static func names(_ originals: String...) -> [String: String] {
        let names = CodeNames(of: originals, by: rule)
        return Dictionary(
            uniqueKeysWithValues: originals.map { original in
                let obstacle =
                    switch names[original]?.obstacle {
                    case .taken: " taken"
                    case .nameOf(let other): " \(other)"
                    case nil: ""
                    }
                return (original, names.written(original) + obstacle)
            })
    }

    @Test func changedNameHasReason() {
        #expect(Self.names("a", "_b") == ["a": "a", "_b": "b"])
        #expect(Self.names("_a", "a") == ["_a": "a2 a", "a": "a"])
        #expect(Self.names("_a", "a_") == ["_a": "a", "a_": "a2 _a"])
        #expect(Self.names("A", "a") == ["A": "A", "a": "a2 A"])
        #expect(Self.names("_class", "_Class") == ["_Class": "Class", "_class": "class2 _Class"])
        #expect(Self.names("_class") == ["_class": "<class>"])
    }

    @Test func nameThatIsTakenGetsSuffix() {
        #expect(Self.names("Date") == ["Date": "DateModel taken"])
        #expect(Self.names("date") == ["date": "date2 taken"])
        #expect(
            Self.names("Date", "DateModel") == [
                "Date": "DateModel taken", "DateModel": "DateModel2 Date",
            ])
    }

    @Test func unknownNamesHaveNoEntry() {
        let names = CodeNames(of: [], by: Self.rule)
        #expect(names["a"] == nil)
        #expect(names.name(of: "a") == "a" && names.written("a") == "a")
    }

    @Test(arguments: [("a", true), ("_a", false), ("Date", false), ("class", false)])
    func nameIsKeptWhenNothingIsDoneToIt(name: String, isKept: Bool) {
        let rule = NamingRule(
            noun: "property", taken: ["Date"], suffix: "Field", keywords: ["class"],
            spelled: { $0.replacing("_", with: "") })
        #expect(rule.keeps(name) == isKept)
    }

    /// Quadratic if the search for each number started at 2.
    @Test(.timeLimit(.minutes(5)))
    func manyNamesThatBecomeOneTakeTimeInProportion() {
        let rule = NamingRule(noun: "type", taken: [], suffix: "Model", spelled: { _ in "same" })
        let originals = (0..<20_000).map { "n\($0)" }
        let names = CodeNames(of: originals, by: rule)
        #expect(Set(originals.map(names.name(of:))).count == originals.count)
    }
}
