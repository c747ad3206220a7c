import Foundation

#if canImport(Glibc)
    import CMalloc
#endif

/// Has threads share heaps, one for each processor. Call this before other threads begin.
///
/// glibc has eight heaps for each processor, and each keeps what its threads have freed: large
/// searches left a server with half as much memory again. To return large blocks to the system at
/// once saves as much, and costs others more: the system clears each page anew, and a find beside
/// answers of 5 MB waited three times as long (`reset_answers` of `make attack`).
func shareHeaps() {
    #if canImport(Glibc)
        mallopt(M_ARENA_MAX, Int32(clamping: ProcessInfo.processInfo.activeProcessorCount))
    #endif
}
