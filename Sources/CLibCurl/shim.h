#ifndef WAGGLE_CLIBCURL_SHIM_H
#define WAGGLE_CLIBCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdlib.h>

// Swift cannot call a function that takes arguments of any type, as these do.

static inline CURLcode waggle_curl_set_number(CURL *handle, CURLoption option, long number) {
    return curl_easy_setopt(handle, option, number);
}

static inline CURLcode waggle_curl_set_size(CURL *handle, CURLoption option, curl_off_t size) {
    return curl_easy_setopt(handle, option, size);
}

static inline CURLcode waggle_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

static inline CURLcode waggle_curl_set_pointer(CURL *handle, CURLoption option, void *pointer) {
    return curl_easy_setopt(handle, option, pointer);
}

static inline CURLcode waggle_curl_set_receiver(
    CURL *handle, CURLoption option, size_t (*receiver)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, receiver);
}

static inline CURLcode waggle_curl_set_watcher(
    CURL *handle, int (*watcher)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watcher);
}

// Calls go by HTTP only, although libcurl knows other protocols.
static inline CURLcode waggle_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

// Mails go by SMTP only.
static inline CURLcode waggle_curl_allow_mail_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_SMTP | CURLPROTO_SMTPS);
#endif
}

// Whether STARTTLS has to succeed before anything else is sent.
static inline CURLcode waggle_curl_set_encryption(CURL *handle, int isNeeded) {
    return curl_easy_setopt(
        handle, CURLOPT_USE_SSL, isNeeded ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
}

// A name that is looked up for longer than a call may take is left to its thread, which ends when
// the system has given up.
static inline CURLcode waggle_curl_leave_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_OK;
#endif
}

// The certificates of authorities instead of the system's, as OpenSSL and curl take them.
static inline CURLcode waggle_curl_trust_environment(CURL *handle) {
    const char *file = getenv("SSL_CERT_FILE");
    return file && *file ? curl_easy_setopt(handle, CURLOPT_CAINFO, file) : CURLE_OK;
}

static inline long waggle_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

#endif
