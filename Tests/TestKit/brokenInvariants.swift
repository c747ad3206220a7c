package import DefinitionCompiler
import DefinitionModel
import Foundation
import SyncProtocol

/// The guarantees for any document that the compiler violates with this one.
package func brokenInvariants(of source: SourceFile) -> [String] {
    let compilation = compile(source)
    let hasErrors = compilation.diagnostics.contains { $0.severity == .error }
    var broken: [String] = []
    if (compilation.definition == nil) != hasErrors {
        broken.append("there is not either a definition or an error")
    }
    let places = compilation.diagnostics.map(\.place)
    if !zip(places, places.dropFirst()).allSatisfy({ !isBefore($1, $0) }) {
        broken.append("the problems are not in the order of the document")
    }
    broken += placesOutside(source, of: compilation.diagnostics)
    broken += unreadable(renderForPeople(compilation, of: source))
    let report = CheckReport(documents: [.init(source: source, compilation: compilation)])
    broken += unparsable(renderAsJSON(report), compilation.diagnostics.count)
    // For some documents only, since this takes as long as everything else.
    if source.bytes.count.isMultiple(of: 8) {
        broken += unparsable(renderAsSARIF(report, version: "0"))
    }
    broken += compilation.definition.map(changesAsJSON) ?? []
    return broken
}

private func isBefore(_ left: SourcePlace, _ right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
}

/// All underlined ranges must be within lines of the document, in its encoding.
private func placesOutside(_ source: SourceFile, of diagnostics: [Diagnostic]) -> [String] {
    let stretches = diagnostics.flatMap { diagnostic in
        [(diagnostic.place, diagnostic.length)]
            + diagnostic.related.map { ($0.place, $0.length) }
    }
    let isAllInside = TextEncoding.allCases.contains { encoding in
        let lines = lineLengths(of: encoding.text(of: source.bytes))
        return stretches.allSatisfy { place, length in
            place.line >= 1 && place.column >= 1 && length >= 0 && place.line <= lines.count
                && place.column + length - 1 <= lines[place.line - 1]
        }
    }
    return isAllInside ? [] : ["a problem lies outside of the document: \(stretches)"]
}

/// In scalars, including the end of the line, which can be underlined.
private func lineLengths(of text: String) -> [Int] {
    var lengths = [1]
    var wasReturn = false
    for scalar in text.unicodeScalars {
        if scalar == "\n" && wasReturn {
            lengths[max(0, lengths.count - 2)] += 1
        } else if scalar == "\n" || scalar == "\r" {
            lengths.append(1)
        } else {
            lengths[lengths.count - 1] += 1
        }
        wasReturn = scalar == "\r"
    }
    return lengths
}

/// Rendered diagnostics must not move the cursor of a terminal.
private func unreadable(_ text: String) -> [String] {
    let hasControls = text.unicodeScalars.contains {
        $0 != "\n" && ($0.properties.generalCategory == .control || $0.value == 0x202E)
    }
    return (hasControls ? ["the text for people has control characters"] : [])
        + (text.hasSuffix("\n") ? [] : ["the text for people does not end with a line"])
}

private func unparsable(_ text: String) -> [String] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) == nil ? ["SARIF is no JSON"] : []
}

private func unparsable(_ text: String, _ count: Int) -> [String] {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let entries = object?["diagnostics"] as? [Any]
    return entries?.count == count ? [] : ["the JSON for tools does not have all problems"]
}

/// The definition that a client decodes must equal the compiled one.
private func changesAsJSON(_ definition: Definition) -> [String] {
    do {
        let json = try CompiledDefinition(definition).canonicalJSON()
        let read = try CompiledDefinition(json: json).definition()
        return read == definition ? [] : ["the definition is another one after JSON"]
    } catch {
        return ["the definition does not survive as JSON: \(error)"]
    }
}
