import CCurl
import COpenSSL
import LinuxIO
import NotificationModel

/// One easy handle, owned, and the transfer that it carries now. Options that fail to be set are a fault of this build
/// against its libcurl.
///
/// libcurl's callbacks are handed the handle and find the transfer here, so that a handle which carries one after the
/// other is told of them once.
///
/// Used on the thread of its multi handle; between two transfers it is in a `EasyHandlePool`.
@safe final class CurlEasy: @unchecked Sendable {
    /// What a handle is made for, and keeps: the rest is set for each transfer.
    struct Kind: Equatable {
        /// PEM; `nil`: the system's.
        var caFile: String?
        /// The host's own trust, in addition to these certificates; `nil`: it has none.
        var trust: OriginTrust?
        /// Encoded bodies are requested.
        var isDecoded: Bool
        /// Bytes that are read at a time.
        var bufferSize: Int
        /// `nil`: hosts are connected to directly.
        var proxy: ProxyEndpoint?
    }

    let handle: UnsafeMutableRawPointer
    private let share: CurlShare
    private let certificates: CAStoreCache
    /// PEM; empty: libcurl finds and reads them by itself.
    private var trustedFiles: [String] = []
    /// Certificates of these files, for the current transfer.
    private var trusted: X509Store?
    /// The same for the connection to an https proxy.
    private var proxyTrustedFiles: [String] = []
    private var proxyTrusted: X509Store?
    /// The headers of CONNECT, which no origin gets.
    let proxyHeaders: CurlList
    let kind: Kind
    let userAgent: String
    /// From when it is begun to its end.
    var transfer: Transfer?

    /// A handle that does nothing but plain fetching: no other schemes, no proxy of the environment, no signals, no old
    /// protocol, no redirects.
    init(
        _ kind: Kind, share: CurlShare, certificates: CAStoreCache, userAgent: String
    ) throws(CurlError) {
        guard let handle = unsafe curl_easy_init() else { throw CurlError(code: CURLE_OUT_OF_MEMORY) }
        unsafe self.handle = unsafe handle
        self.kind = kind
        self.userAgent = userAgent
        self.share = share
        self.certificates = certificates
        proxyHeaders = CurlList(kind.proxy?.headerLines ?? [])
        try set(CURLOPT_USERAGENT, userAgent)
        try setTrust(kind.caFile, adding: kind.trust?.caFile)
        if let pins = kind.trust?.pinText {
            try set(CURLOPT_PINNEDPUBLICKEY, pins)
            // The key stands for the authority that nobody has named. The name in the certificate is compared all the same.
            if kind.trust?.caFile == nil { try set(CURLOPT_SSL_VERIFYPEER, 0) }
        }
        try CurlError.check(unsafe agd_easy_set_pointer(handle, CURLOPT_SHARE, share.handle))
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try setProxy(kind.proxy, caFile: kind.caFile)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        if kind.isDecoded {
            try set(CURLOPT_ACCEPT_ENCODING, ResponseInfo.acceptedEncodings)
            // `BodyDecoder` decodes the body, with bounds of its own.
            try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        try set(CURLOPT_BUFFERSIZE, kind.bufferSize)
        try setCallbacks()
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
    }

    /// - Parameter own: the host's own certificates. A libcurl with another TLS library takes one file, and so has only
    ///   this one.
    private func setTrust(_ caFile: String?, adding own: String?) throws(CurlError) {
        let system = text(CURLINFO_CAINFO)
        let only = certificates.canBeHandedOver ? caFile : own ?? caFile
        if let only { try set(CURLOPT_CAINFO, only) }
        guard let file = only ?? system else { return }
        guard certificates.canBeHandedOver else {
            guard FileSystem.isRegularFile(file) else { return }
            // libcurl 7.88 keeps what it has read for the next connections of the multi handle, unless there is a
            // folder, too. Not every TLS knows of either.
            try? setNothing(CURLOPT_CAPATH)
            try? set(CURLOPT_CA_CACHE_TIMEOUT, 600)
            return
        }
        trustedFiles = [file] + [own].compactMap(\.self)
        if let proxy = kind.proxy, proxy.isSecure {
            proxyTrustedFiles = [caFile ?? system, proxy.trust?.caFile].compactMap(\.self)
        }
        try setNothing(CURLOPT_CAINFO)
        try setNothing(CURLOPT_CAPATH)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try CurlError.check(unsafe agd_easy_set_ssl_context(handle, beginTLS, context))
    }

    /// Whether the certificates of authorities are read by this program, and not by libcurl.
    var canHandOverTrust: Bool { certificates.canBeHandedOver }

    func setNothing(_ option: CURLoption) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_pointer(handle, option, nil))
    }

    /// Before a transfer over TLS: it is to be judged by the certificates that count now.
    func trust() throws(MediaFailure) {
        guard !trustedFiles.isEmpty else { return }
        let store = try certificates.store(of: trustedFiles)
        guard store !== trusted else { return }
        do throws(CurlError) {
            // libcurl finds nothing there, but neither connection nor TLS session is used again by who has another.
            try set(CURLOPT_CAPATH, store.name)
        } catch { throw .refusedOption(error) }
        trusted = store
    }

    /// The same before a transfer over an https proxy.
    func trustProxy() throws(MediaFailure) {
        guard !proxyTrustedFiles.isEmpty else { return }
        let store = try certificates.store(of: proxyTrustedFiles)
        guard store !== proxyTrusted else { return }
        do throws(CurlError) { try set(CURLOPT_PROXY_CAPATH, store.name) } catch { throw .refusedOption(error) }
        proxyTrusted = store
    }

    /// - Parameters:
    ///   - connections: the `SSL_CTX` of one that begins.
    ///   - isToProxy: its TLS is that of an https proxy, around the origin's.
    func handOverTrust(to connections: OpaquePointer, isToProxy: Bool) -> Bool {
        unsafe (isToProxy ? proxyTrusted : trusted)?.install(to: connections) ?? false
    }

    private func setCallbacks() throws(CurlError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try CurlError.check(unsafe agd_easy_set_pointer(handle, CURLOPT_PRIVATE, context))
        try CurlError.check(unsafe agd_easy_set_write(handle, receiveBody, context))
        try CurlError.check(unsafe agd_easy_set_header(handle, receiveHeader, context))
        try CurlError.check(unsafe agd_easy_set_open_socket(handle, openSocket, context))
        try CurlError.check(unsafe agd_easy_set_prerequest(handle, beforeRequest, context))
        try CurlError.check(unsafe agd_easy_set_resolver_start(handle, resolverStarts, context))
    }

    /// Whether the TLS connections of the handle are metered (`MeteredConnection`).
    var isMetered: Bool { !trustedFiles.isEmpty }

    /// Reports the end of each connection that the handle opens to `engine`. A connection may outlive the handle.
    func reportCloses(to engine: MultiHandleDriver) throws(CurlError) {
        let context = unsafe Unmanaged.passUnretained(engine).toOpaque()
        try CurlError.check(unsafe agd_easy_set_close_socket(handle, closeSocket, context))
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_long(handle, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(CurlError) {
        // Handed over as it is, a string would be copied into an array first.
        try CurlError.check(unsafe value.withCString { unsafe agd_easy_set_string(handle, option, $0) })
    }

    /// The list must outlive the transfer.
    func set(_ option: CURLoption, _ list: borrowing CurlList) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_pointer(handle, option, list.head))
    }

    /// The body of the request, which libcurl copies; the method becomes POST unless it is set.
    func setBody(_ bytes: [UInt8]) throws(CurlError) {
        try CurlError.check(
            unsafe bytes.withUnsafeBytes { unsafe agd_easy_set_body(handle, $0.baseAddress, curl_off_t($0.count)) })
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe agd_easy_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// Microseconds or bytes; -1 where it is not known.
    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = -1
        return unsafe agd_easy_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : -1
    }

    /// Describes the fault in the certificate of the last TLS connection, in a sentence; `nil` if the chain is right.
    ///
    /// - Parameters:
    ///   - info: the result of the origin's certificate, or of the proxy's.
    ///   - server: the host or the proxy, for the sentence.
    func certificateProblem(
        _ info: CURLINFO = CURLINFO_SSL_VERIFYRESULT, of server: String = "the host"
    ) -> String? {
        let result = number(info)
        guard result != X509_V_OK, let text = unsafe X509_verify_cert_error_string(result) else { return nil }
        let words = unsafe String(cString: text)
        let isIssuerMissing = [
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
        ].contains(Int32(result))
        return "the certificate of \(server) is not trusted: \(words)"
            + (isIssuerMissing
                ? "; \(server) must send its intermediate certificates, and its authority must be trusted (fetch.caFile)"
                : "")
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard unsafe agd_easy_get_string(handle, info, &value) == CURLE_OK, let value = unsafe value else { return nil }
        return unsafe String(cString: value)
    }
}

/// libcurl refused something that it must not refuse.
struct CurlError: Error {
    let code: CURLcode

    static func check(_ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(code: code) }
    }
}

extension CURLcode {
    /// libcurl's words for the code.
    var words: String {
        guard let text = unsafe curl_easy_strerror(self) else { return "error \(rawValue)" }
        return unsafe String(cString: text)
    }
}
