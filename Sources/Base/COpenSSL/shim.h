// The parts of OpenSSL that Swift needs: the certificates by which libcurl verifies its connections, digests, and the
// signatures of tokens.
#ifndef AGD_COPENSSL_SHIM_H
#define AGD_COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

// Without this callback, OpenSSL asks for a password at the terminal.
static inline int agd_no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return -1;
}

// Adds all certificates in a text, which may have other content as well. Returns their number; -1 if one of them cannot
// be read.
static inline int agd_add_certificates(X509_STORE *store, const void *pem, int byte_count) {
    ERR_clear_error();
    BIO *text = BIO_new_mem_buf(pem, byte_count);
    if (!text) return -1;
    int count = 0;
    X509 *certificate;
    while (count >= 0 && (certificate = PEM_read_bio_X509_AUX(text, NULL, agd_no_password, NULL))) {
        count = X509_STORE_add_cert(store, certificate) ? count + 1 : -1;
        X509_free(certificate);
    }
    // OpenSSL also reports an error if no other certificate follows after the last one.
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) count = -1;
    ERR_clear_error();
    BIO_free(text);
    return count;
}

// SSL_CTX_set1_verify_cert_store is a macro with a cast. The store serves only the verification of connections.
// SSL_CTX_set1_cert_store would also pass it to libcurl 7.88, which adds certificates to the store it finds there, on
// any thread. Returns 1 if the store is set.
static inline int agd_judge_by(SSL_CTX *connections, X509_STORE *store) {
    return (int)SSL_CTX_set1_verify_cert_store(connections, store);
}

// SSL_CTX_set_msg_callback_arg is a macro with a cast. `callback` is called for each record that the connections send
// or receive.
static inline void agd_see_records(
    SSL_CTX *connections,
    void (*callback)(int is_sent, int version, int type, const void *bytes, size_t count, SSL *ssl, void *context),
    void *context) {
    SSL_CTX_set_msg_callback(connections, callback);
    SSL_CTX_set_msg_callback_arg(connections, context);
}

#endif
