/// A state of a test bench that no test expects.
package struct BenchFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension Optional {
    /// The value; throws if there is none.
    package func orFail(_ description: @autoclosure () -> String) throws -> Wrapped {
        guard let value = self else { throw BenchFailure(description()) }
        return value
    }
}
