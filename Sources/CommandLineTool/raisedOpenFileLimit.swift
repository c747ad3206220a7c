import Foundation

/// Lets this process open as many files as the system allows it, and says how many that is.
func raisedOpenFileLimit() -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 0 }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let allowed = setrlimit(files, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
    return Int(clamping: allowed)
}
