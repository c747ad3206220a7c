/// The steps that matching patterns may take. It counts steps instead of time, so a device and a
/// server decide alike.
///
/// A state of a pattern that is visited for a scalar of a text is a step, so one text takes at most
/// `TextPattern.stepCount` steps for each of its scalars.
package struct PatternBudget: Hashable, Sendable {
    /// The maximum for one value, which the compiler guarantees, and for all values of one change.
    package static let stepsOfChange = 10_000_000

    /// The steps that were taken.
    package private(set) var taken = 0
    /// The maximum number of steps.
    package let max: Int

    package init(max: Int = stepsOfChange) { self.max = max }

    /// Returns false, and takes nothing, if too few steps are left.
    mutating func take(_ steps: Int) -> Bool {
        guard steps <= max - taken else { return false }
        taken += steps
        return true
    }
}
