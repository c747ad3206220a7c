/// Repeats `body` while it fails for a reason that may pass, such as a database that is starting,
/// for at most that time. Prints once what it waits for.
func waiting<Value>(
    seconds: Int, _ body: () async throws -> Value
) async throws -> Value {
    let end = ContinuousClock.now + .seconds(seconds)
    var hasSaidSo = false
    while true {
        do {
            return try await body()
        } catch let failure as ToolFailure where failure.mayPass && ContinuousClock.now < end {
            if !hasSaidSo {
                Terminal.printMessage("waiting for \(seconds) s at most: \(failure.message)")
                hasSaidSo = true
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
