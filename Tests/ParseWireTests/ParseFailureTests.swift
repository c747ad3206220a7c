import SyncEngine
import Testing

@testable import ParseWire

@Suite("Errors of the engine have codes of Parse")
struct ParseFailureTests {
    /// Clients send again what has code 100, and drop a change with any other.
    private static let errors: [(SyncError, status: Int, code: Int, seconds: Int?)] = [
        (.store(.outOfSpace), 503, 100, 60), (.store(.busy), 503, 100, 1),
        (.store(.memoryFull(isOwn: true)), 503, 100, 1), (.store(.cancelled), 408, 100, 1),
        (.store(.failed("a bug")), 500, 1, nil), (.file(.unknown), 404, 101, nil),
        (.file(.awaited), 404, 101, nil), (.file(.tooLarge(maxBytes: 1)), 400, 116, nil),
        (.file(.notYours), 400, 130, nil), (.file(.overtaken), 503, 100, 1),
        (.file(.tooManyLoose(max: 1, maxBytes: 1)), 429, 100, 3600),
        (.account(.mailIllegal("x")), 400, 125, nil), (.signIn(.tokenUnknown), 400, 209, nil),
        (.signIn(.tooManyAttempts(retryAfterSeconds: 7)), 429, 100, 7),
    ]

    @Test(arguments: errors.indices) func errorHasCode(index: Int) {
        let (error, status, code, seconds) = Self.errors[index]
        let failure = ParseFailure(error)
        #expect(failure.status == status && failure.code == code, "\(failure)")
        #expect(failure.retryAfterSeconds == seconds && !failure.message.isEmpty)
    }
}
