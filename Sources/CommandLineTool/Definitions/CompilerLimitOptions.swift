import ArgumentParser
import DefinitionCompiler

/// The limits for definitions: options of every command that reads one.
struct CompilerLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The maximum size in bytes, up to \(CompilerLimits.bytesRange.upperBound).",
            valueName: "n"))
    var maxBytes = CompilerLimits().maxBytes

    @Option(
        help: ArgumentHelp(
            "The maximum nesting of elements, up to \(CompilerLimits.depthRange.upperBound).",
            valueName: "n"))
    var maxDepth = CompilerLimits().maxDepth

    @Option(
        help: ArgumentHelp(
            "The maximum number of elements, up to \(CompilerLimits.elementsRange.upperBound).",
            valueName: "n"))
    var maxElements = CompilerLimits().maxElements

    @Option(
        help: ArgumentHelp(
            "The maximum number of attributes, up to \(CompilerLimits.attributesRange.upperBound).",
            valueName: "n"))
    var maxAttributes = CompilerLimits().maxAttributes

    @Option(
        help: ArgumentHelp(
            "The maximum printed diagnostics, up to \(CompilerLimits.diagnosticsRange.upperBound).",
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
