import ChangeRules
import JSON
import RecordSearch

/// The finds of the engine that one request of a client may cause, and the bytes of the values that
/// they find. Includes and subqueries take from it too.
actor AnswerBudget {
    static let mostFinds = 300
    static let mostBytes = 16 << 20
    /// Different pointers inside JSON of the objects of one page that an include replaces.
    static let mostPointers = 1000

    private var finds = AnswerBudget.mostFinds
    private var bytes = AnswerBudget.mostBytes

    /// Throws `tooMuch` if there were too many finds before this one, or too many bytes.
    func begin() throws(ParseFailure) {
        finds -= 1
        guard finds >= 0, bytes > 0 else {
            throw .tooMuch
        }
    }

    /// Counts the values of a page, and returns their bytes. A page alone is limited by the engine.
    func take(_ page: FindPage) -> Int {
        let taken = page.found.reduce(0) { sum, view in
            sum + (view.record.fields ?? [:]).values.reduce(100) { $0 + $1.approximateBytes }
        }
        bytes -= taken
        return taken
    }
}

extension ParseFailure {
    static let tooMuch = ParseFailure(
        154, "too much would have to be found: ask for fewer objects or keys")
}
