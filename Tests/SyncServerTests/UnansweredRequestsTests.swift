import Testing

@testable import SyncServer

@Suite("The requests without a response end with their connection")
struct UnansweredRequestsTests {
    private enum Step { case begin, answer, close }

    /// Each with the number that is left.
    private static let stories: [([Step], Int)] = [
        ([], 0), ([.begin], 1), ([.begin, .begin, .answer], 1), ([.begin, .answer], 0),
        ([.begin, .begin, .close], 0),
        // The response was due when the connection was closed.
        ([.begin, .close, .answer], 0), ([.begin, .close, .close, .answer, .answer], 0),
        // Bytes that were read before the close may be parsed after it.
        ([.close, .begin], 0),
    ]

    @Test(arguments: stories.indices)
    func noneIsLeftWhenTheConnectionHasClosed(index: Int) {
        let (steps, left) = Self.stories[index]
        var requests = UnansweredRequests()
        for step in steps {
            switch step {
            case .begin: requests.begin()
            case .answer: requests.answer()
            case .close: requests.close()
            }
        }
        #expect(requests.count == left)
    }
}
