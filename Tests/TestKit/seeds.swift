import Foundation

/// Seeds for a test that samples a space too large to enumerate: the first third of them, or all
/// with `WAGGLE_THOROUGH` in the environment.
///
/// - Parameter count: At least 3.
package func seeds(_ count: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["WAGGLE_THOROUGH"] == nil ? count / 3 : count)
}
