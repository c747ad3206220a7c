import Foundation

/// A progress counter on a terminal; writes nothing elsewhere.
struct Progress {
    private let name: String
    /// " of 100", or an empty text if the end is not known.
    private let total: String
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ name: String, of total: (some BinaryInteger)? = Int?.none) {
        self.name = name
        self.total = total.map { " of \($0)" } ?? ""
    }

    func show(_ count: Int) {
        if isShown { Terminal.printMessage("\r\(name): \(count)\(total)", terminator: "") }
    }

    /// Clears the line.
    func end() {
        if isShown { Terminal.printMessage("\r\u{1B}[K", terminator: "") }
    }
}
