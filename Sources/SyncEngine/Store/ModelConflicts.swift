/// The number of open conflicts in the records of a model.
package struct ModelConflicts: Hashable, Sendable {
    package let model: String
    package let count: Int

    package init(model: String, count: Int) {
        self.model = model
        self.count = count
    }
}
