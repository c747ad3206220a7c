/// Where something stands in its `application.xml`; both numbers start at 1.
///
/// The column counts Unicode scalars, so that an editor shows the same one.
package struct SourcePlace: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
