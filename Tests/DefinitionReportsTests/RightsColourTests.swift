import TestKit
import Testing

@testable import DefinitionReports

/// The contrast of the colours of the page of rights as WCAG 2 defines it, on the screen and on
/// paper. The dot of a right that nobody has is a text like the letters of others.
@Suite("Rights can be read in each theme")
struct RightsColourTests {
    enum Theme: Int, CaseIterable { case light, dark, print }

    @Test(arguments: Theme.allCases)
    func textIsLegible(theme: Theme) throws {
        let colours = try colours(of: theme)
        for text in ["ink", "soft", "dot", "accent"] {
            for ground in ["paper", "band"] {
                let found = try contrast(text, ground, in: colours)
                #expect(found >= 4.5, "\(text) on \(ground)")
            }
        }
        for level in ["own", "group", "all"] {
            #expect(try contrast("\(level)-ink", level, in: colours) >= 4.5, "\(level)")
        }
        // The stripes of rights to one's own records in one's group.
        #expect(try contrast("own-ink", "group", in: colours) >= 4.5)
    }

    /// A theme is a list of colours; each sets all of them.
    private func colours(of theme: Theme) throws -> [String: Int] {
        let lists = rightsStyle.split(separator: ":root {")
        #expect(lists.count == Theme.allCases.count)
        let list = try #require(lists.dropFirst(theme.rawValue).first).prefix { $0 != "}" }
        return list.matches(of: #/--([a-z-]+): #([0-9a-f]+);/#).reduce(into: [:]) { all, match in
            let digits = match.output.2
            let whole = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
            all[String(match.output.1)] = Int(whole, radix: 16)
        }
    }

    private func contrast(
        _ first: String, _ second: String, in colours: [String: Int]
    ) throws -> Double {
        TestKit.contrast(try #require(colours[first]), try #require(colours[second]))
    }
}
