/// The requests of a connection without a whole response.
///
/// Nobody waits for one when the connection has closed: a response that ends later, as to
/// `GET /health`, counts no more.
struct UnansweredRequests {
    private(set) var count = 0
    private var isClosed = false

    mutating func begin() {
        if !isClosed { count += 1 }
    }

    mutating func answer() {
        if !isClosed { count -= 1 }
    }

    mutating func close() {
        count = 0
        isClosed = true
    }
}
