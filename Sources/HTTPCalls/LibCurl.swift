import CLibCurl

/// The libcurl of the process, for every module that makes calls with it.
package enum LibCurl {
    /// Whether libcurl is initialised. The first use initialises it, once for the process and under
    /// the lock of a static property, because `curl_global_init` of older versions takes none.
    package static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
