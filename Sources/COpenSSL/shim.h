// What Swift needs of OpenSSL: the certificates that libcurl's connections are judged by.
#ifndef AGD_COPENSSL_SHIM_H
#define AGD_COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

// A macro with casts. The store is the connections' alone: `SSL_CTX_set1_cert_store` would hand it to libcurl 7.88, which
// adds to what it finds there, of whatever thread, and behind its callback.
static inline int agd_ssl_judge_by(SSL_CTX *context, X509_STORE *store) {
    return SSL_CTX_set1_verify_cert_store(context, store) == 1;
}

#endif
