// The certificates of a laboratory's origin, in one function, because Swift cannot import most of the macros that set
// their fields.
#ifndef AGD_COPENSSL_CERTIFICATES_H
#define AGD_COPENSSL_CERTIFICATES_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

static inline int agd_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int is_added = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return is_added;
}

// Copies the content of a BIO as a string. Returns 0 if the room is too small.
static inline int agd_copy_text(BIO *text, char *room, size_t capacity) {
    char *bytes;
    long count = BIO_get_mem_data(text, &bytes);
    if (count <= 0 || (size_t)count >= capacity) return 0;
    memcpy(room, bytes, (size_t)count);
    room[count] = 0;
    return 1;
}

// Makes a certificate with a P-256 key, both in PEM. `alternative` is its subjectAltName; NULL makes an authority.
// `issuer` and `issuer_key` are those of the authority in PEM, or NULL if the certificate signs itself. `start` and
// `end` are seconds from now. Returns 1, or 0 if anything fails.
static inline int agd_make_certificate(
    const char *name, const char *alternative, const char *issuer, const char *issuer_key, long start, long end,
    char *certificate_room, size_t certificate_capacity, char *key_room, size_t key_capacity) {
    EVP_PKEY *key = EVP_EC_gen("P-256"), *signer = NULL;
    X509 *certificate = X509_new(), *authority = NULL;
    BIO *text = BIO_new(BIO_s_mem()), *key_text = BIO_new(BIO_s_mem());
    BIO *issuer_text = issuer ? BIO_new_mem_buf(issuer, -1) : NULL;
    BIO *issuer_key_text = issuer_key ? BIO_new_mem_buf(issuer_key, -1) : NULL;
    if (issuer_text) authority = PEM_read_bio_X509(issuer_text, NULL, NULL, NULL);
    if (issuer_key_text) signer = PEM_read_bio_PrivateKey(issuer_key_text, NULL, NULL, NULL);
    unsigned char number[8];
    int is_made = key && certificate && text && key_text && (!issuer || authority) && (!issuer_key || signer)
        && RAND_bytes(number, sizeof number) == 1;
    if (is_made) {
        uint64_t serial;
        memcpy(&serial, number, sizeof serial);
        X509_NAME *subject = X509_get_subject_name(certificate);
        X509 *signs = authority ? authority : certificate;
        is_made = X509_set_version(certificate, X509_VERSION_3)
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1)
            && X509_gmtime_adj(X509_getm_notBefore(certificate), start)
            && X509_gmtime_adj(X509_getm_notAfter(certificate), end)
            && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0)
            && X509_set_issuer_name(certificate, X509_get_subject_name(signs))
            && X509_set_pubkey(certificate, key)
            && agd_add_extension(certificate, signs, NID_basic_constraints, alternative ? "CA:FALSE" : "critical,CA:TRUE")
            && (!alternative || agd_add_extension(certificate, signs, NID_subject_alt_name, alternative))
            && X509_sign(certificate, signer ? signer : key, EVP_sha256()) > 0
            && PEM_write_bio_X509(text, certificate)
            && PEM_write_bio_PrivateKey(key_text, key, NULL, NULL, 0, NULL, NULL)
            && agd_copy_text(text, certificate_room, certificate_capacity)
            && agd_copy_text(key_text, key_room, key_capacity);
    }
    BIO_free(text), BIO_free(key_text), BIO_free(issuer_text), BIO_free(issuer_key_text);
    X509_free(certificate), X509_free(authority);
    EVP_PKEY_free(key), EVP_PKEY_free(signer);
    return is_made;
}

#endif
