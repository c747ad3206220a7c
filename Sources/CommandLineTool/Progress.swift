import Foundation

/// A progress counter on a terminal; writes nothing elsewhere.
struct Progress {
    private let name: String
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ name: String) {
        self.name = name
    }

    func show(_ count: Int) {
        if isShown { Terminal.printMessage("\r\(name): \(count)", terminator: "") }
    }

    /// Clears the line.
    func end() {
        if isShown { Terminal.printMessage("\r\u{1B}[K", terminator: "") }
    }
}
