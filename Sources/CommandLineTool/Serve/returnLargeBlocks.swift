#if canImport(Glibc)
    import CMalloc
#endif

/// Has the memory of blocks of 4 MiB and more returned to the system when they are freed.
///
/// glibc raises this threshold to up to 32 MiB when such blocks are freed, and then keeps them in
/// the heap of each thread: large searches left a server with twice the memory that it needed, see
/// the attack `large_searches` of `make attack`.
func returnLargeBlocks() {
    #if canImport(Glibc)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
    #endif
}
