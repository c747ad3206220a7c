package import DefinitionCompiler
import DefinitionModel
import Foundation
import SyncProtocol

/// What compiling promises of any document whatever and does not keep with this one, in words.
package func brokenPromises(of source: SourceFile) -> [String] {
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
    // For some documents, since it takes as long as all else together.
    if source.bytes.count.isMultiple(of: 8) {
        broken += unparsable(renderAsSARIF(report, version: "0"))
    }
    broken += compilation.definition.map(changesAsJSON) ?? []
    return broken
}

private func isBefore(_ left: SourcePlace, _ right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
}

/// All stretches must lie in lines of the document, in the encoding that it is in.
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

/// In scalars, with the end of the line as one that can be pointed at.
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

/// People get lines of text, and nothing that moves their cursor.
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

/// What a client reads must be what the compiler knew.
private func changesAsJSON(_ definition: Definition) -> [String] {
    do {
        let json = try CompiledDefinition(definition).canonicalJSON()
        let read = try CompiledDefinition(json: json).definition()
        return read == definition ? [] : ["the definition is another one after JSON"]
    } catch {
        return ["the definition does not survive as JSON: \(error)"]
    }
}
