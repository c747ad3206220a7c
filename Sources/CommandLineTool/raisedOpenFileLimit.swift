import Foundation

/// Raises the limit of open files to the maximum that the system allows, and returns it.
func raisedOpenFileLimit() -> Int {
    #if os(Linux)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 0 }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let allowed = setrlimit(files, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
    return Int(clamping: allowed)
}
