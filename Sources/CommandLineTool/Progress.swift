import Foundation

/// A number that grows, on a terminal; nothing elsewhere.
struct Progress {
    private let name: String
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ name: String) {
        self.name = name
    }

    func show(_ count: Int) {
        if isShown { Terminal.tell("\r\(name): \(count)", terminator: "") }
    }

    /// Leaves an empty line for what comes next.
    func end() {
        if isShown { Terminal.tell("\r\u{1B}[K", terminator: "") }
    }
}
