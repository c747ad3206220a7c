import NIOPosix

/// Runs tasks on the threads of a pool, so that long computations that are asynchronous leave the
/// threads of all others free.
final class PoolExecutor: TaskExecutor {
    private let threads: NIOThreadPool

    init(_ threads: NIOThreadPool) {
        self.threads = threads
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { [self] _ in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
