extension Compilation {
    /// The same compilation with every warning raised to an error; a single one removes the
    /// definition.
    package var withWarningsAsErrors: Compilation {
        let hasWarnings = diagnostics.contains { $0.severity == .warning }
        return Compilation(
            definition: hasWarnings ? nil : definition,
            diagnostics: diagnostics.map { $0.severity == .warning ? $0.asError : $0 })
    }
}

extension Diagnostic {
    fileprivate var asError: Diagnostic {
        Diagnostic(
            severity: .error, id: id, place: place, length: length, message: message, help: help,
            related: related)
    }
}
