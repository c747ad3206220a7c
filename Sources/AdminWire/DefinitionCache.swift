import DefinitionModel
import NIOConcurrencyHelpers

/// The definitions that were compiled last, by their texts. Several requests for each page need the
/// same one, and large ones take long to compile.
final class DefinitionCache: Sendable {
    private static let count = 8

    private struct Entry: Sendable {
        let source: [UInt8]
        let definition: Definition
    }

    /// The one that was used last comes last.
    private let entries = NIOLockedValueBox<[Entry]>([])

    /// The definition of a text, which `compile` makes unless it is known. Nil is not kept.
    func definition(of source: [UInt8], compiling compile: () -> Definition?) -> Definition? {
        if let known = known(source) { return known }
        guard let definition = compile() else { return nil }
        keep(definition, of: source)
        return definition
    }

    /// Keeps what a text was compiled to.
    func keep(_ definition: Definition, of source: [UInt8]) {
        entries.withLockedValue { entries in
            entries.removeAll { $0.source == source }
            entries.append(Entry(source: source, definition: definition))
            if entries.count > Self.count { entries.removeFirst() }
        }
    }

    private func known(_ source: [UInt8]) -> Definition? {
        entries.withLockedValue { entries in
            guard let place = entries.lastIndex(where: { $0.source == source }) else { return nil }
            entries.append(entries.remove(at: place))
            return entries.last?.definition
        }
    }
}
