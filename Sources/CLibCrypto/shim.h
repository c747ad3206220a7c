#ifndef WAGGLE_CLIBCRYPTO_SHIM_H
#define WAGGLE_CLIBCRYPTO_SHIM_H

// OpenSSL 3 prefers EVP_Digest… to SHA256_…. The state of the latter is a plain value, which Swift
// copies and sends to other threads without a reference; and neither allocates memory.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#endif
