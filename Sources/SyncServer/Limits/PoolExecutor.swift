import NIOPosix

/// Runs tasks on the threads of a pool instead of those that all tasks share.
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
