import ArgumentParser
import DefinitionCompiler

/// What a definition may cost: the options that every command that reads one has.
struct CompilerLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most bytes of a definition, to \(CompilerLimits.bytesRange.upperBound).",
            valueName: "n"))
    var maxBytes = CompilerLimits().maxBytes

    @Option(
        help: ArgumentHelp(
            "The most levels of its elements, to \(CompilerLimits.depthRange.upperBound).",
            valueName: "n"))
    var maxDepth = CompilerLimits().maxDepth

    @Option(
        help: ArgumentHelp(
            "The most elements, to \(CompilerLimits.elementsRange.upperBound).",
            valueName: "n"))
    var maxElements = CompilerLimits().maxElements

    @Option(
        help: ArgumentHelp(
            "The most attributes of one, to \(CompilerLimits.attributesRange.upperBound).",
            valueName: "n"))
    var maxAttributes = CompilerLimits().maxAttributes

    @Option(
        help: ArgumentHelp(
            "The most problems to show, to \(CompilerLimits.diagnosticsRange.upperBound).",
            valueName: "n"))
    var maxDiagnostics = CompilerLimits().maxDiagnostics

    func limits() throws(ToolFailure) -> CompilerLimits {
        try check("--max-bytes", maxBytes, in: CompilerLimits.bytesRange)
        try check("--max-depth", maxDepth, in: CompilerLimits.depthRange)
        try check("--max-elements", maxElements, in: CompilerLimits.elementsRange)
        try check("--max-attributes", maxAttributes, in: CompilerLimits.attributesRange)
        try check("--max-diagnostics", maxDiagnostics, in: CompilerLimits.diagnosticsRange)
        return CompilerLimits(
            maxBytes: maxBytes, maxDepth: maxDepth, maxElements: maxElements,
            maxAttributes: maxAttributes, maxDiagnostics: maxDiagnostics)
    }

    private func check(
        _ name: String, _ value: Int, in range: ClosedRange<Int>
    ) throws(ToolFailure) {
        guard !range.contains(value) else { return }
        throw ToolFailure(
            .wrongUsage, "'\(name)' is \(value)",
            help: "give a number from \(range.lowerBound) to \(range.upperBound)")
    }
}
