/// A position in an `application.xml`; line and column start at 1.
///
/// The column counts Unicode scalars, as editors do.
package struct SourcePlace: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
