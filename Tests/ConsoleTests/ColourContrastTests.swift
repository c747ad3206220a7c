import TestKit
import Testing

@testable import Console

/// The contrast of colours as WCAG 2 defines it, in both themes. Letters in cells of the matrix are
/// texts like others.
@Suite("Colours can be told apart")
struct ColourContrastTests {
    enum Theme: Int, CaseIterable { case light, dark }

    private static let texts = ["ink", "faint", "accent", "rust", "teal", "orange", "green"]
    private static let grounds = ["paper", "raised", "sunken", "rust-wash", "teal-wash"]

    @Test(arguments: Theme.allCases)
    func textIsLegible(theme: Theme) throws {
        let colours = try colours(of: theme)
        for text in Self.texts {
            for ground in Self.grounds {
                let found = try contrast(text, ground, in: colours)
                #expect(found >= 4.5, "\(text) on \(ground)")
            }
        }
        for ground in ["honey-own", "honey-group", "honey-all"] {
            #expect(try contrast("honey-ink", ground, in: colours) >= 4.5, "\(ground)")
        }
        #expect(try contrast("accent-ink", "accent", in: colours) >= 4.5)
    }

    @Test(arguments: Theme.allCases)
    func controlsHaveVisibleBorders(theme: Theme) throws {
        let colours = try colours(of: theme)
        for ground in ["paper", "raised", "sunken"] {
            #expect(try contrast("border", ground, in: colours) >= 3, "\(ground)")
        }
    }

    private func colours(of theme: Theme) throws -> [String: Int] {
        let style = try #require(ConsoleDocument.all()["styles/base.css"])
        let text = String(decoding: style.bytes, as: UTF8.self)
        let token = #/--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)/#
        return text.matches(of: token).reduce(into: [:]) { colours, match in
            let value = theme == .light ? match.output.2 : match.output.3
            colours[String(match.output.1)] = Int(value, radix: 16)
        }
    }

    private func contrast(
        _ first: String, _ second: String, in colours: [String: Int]
    ) throws -> Double {
        TestKit.contrast(try #require(colours[first]), try #require(colours[second]))
    }
}
