/// Switches over enum cases that end in a catch-all, which would hide a new case.
///
/// The text does not tell where the enum is declared: a file that switches over a non-frozen enum
/// of another package is an exception. Switches over texts and numbers need a catch-all and are
/// ignored.
func catchAllFindings(in text: SourceText) -> [Finding] {
    let lines = text.codeLines
    return lines.indices.compactMap { index in
        guard isCatchAll(lines[index]), namesEnumCases(above: index, in: lines) else { return nil }
        return text.finding(
            line: index + 1, "write every case, so that a new one stops the build here")
    }
}

/// The same for many files. An exception that is not needed is a finding too.
func catchAllFindings(in files: [SourceText], exceptions: [String: String]) -> [Finding] {
    files.flatMap { file in
        let findings = catchAllFindings(in: file)
        guard exceptions[file.path] != nil else { return findings }
        return findings.isEmpty
            ? [file.finding(line: 1, "needs its exception for a catch-all no longer: remove it")]
            : []
    }
}

/// Files with switches over non-frozen enums of other packages, each with the reason.
let catchAllExceptions: [String: String] = [
    "Sources/CommandLineTool/SigningIn/SignInOptions.swift":
        "DecodingError of the standard library",
    "Sources/DefinitionCompiler/Rendering/Excerpt.swift": "the general categories of Unicode",
    "Sources/DefinitionCompiler/Diagnostics/quoted.swift": "the general categories of Unicode",
    "Sources/ModelFiles/ModelSettings.swift": "DecodingError of the standard library",
    "Sources/SourceGenerator/Views/CommentLine.swift": "the general categories of Unicode",
    "Sources/SourceGenerator/Names/spelling.swift": "the general categories of Unicode",
    "Sources/NativeWire/HTTPFailure+DecodingError.swift": "DecodingError of the standard library",
]

private func isCatchAll(_ line: Substring) -> Bool {
    let code = line.drop { $0 == " " }
    // Most lines are not looked at by an expression, which takes long.
    guard code.first == "c" || code.first == "d" || code.first == "@" else { return false }
    return code.contains(/^(@unknown )?default *:/) || code.contains(/^case *\(?_(, *_)*\)? *:/)
}

/// Inspects the cases of the same switch, which have the same indentation.
private func namesEnumCases(above index: Int, in lines: [Substring]) -> Bool {
    let indent = lines[index].prefix { $0 == " " }.count
    let above = lines[..<index].reversed().prefix { line in
        line.allSatisfy { $0 == " " } || line.prefix { $0 == " " }.count > indent
            || line.dropFirst(indent).hasPrefix("case")
    }
    return above.contains { pattern(of: $0.dropFirst(indent)).contains(/[ (]\.[a-z]/) }
}

/// From `case` to its colon or `where`; empty for any other line.
private func pattern(of line: Substring) -> Substring {
    guard line.hasPrefix("case ") else { return "" }
    var depth = 0
    let whole = line.prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0 || character != ":"
    }
    return whole[..<(whole.firstRange(of: " where ")?.lowerBound ?? whole.endIndex)]
}
