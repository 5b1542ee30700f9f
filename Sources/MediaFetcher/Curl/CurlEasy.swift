import CCurl
import COpenSSL
import LinuxIO
import NotificationModel

/// An owned easy handle of libcurl and its current transfer. If an option cannot be set, the loaded libcurl differs
/// from the libcurl of the build.
///
/// The callbacks of libcurl receive the handle and find the current transfer here. A handle that is reused therefore
/// sets its callbacks only once.
///
/// A handle is used on the thread of its multi handle. Between two transfers it is in an `EasyHandlePool`.
@safe final class CurlEasy: @unchecked Sendable {
    /// The settings that a handle keeps for all its transfers. All other options are set for each transfer.
    struct Kind: Equatable {
        /// The PEM file of the trusted authorities; `nil` if the file of the system is used.
        var caFile: String?
        /// The certificates and keys that are trusted for the host only; `nil` if there are none.
        var trust: OriginTrust?
        /// Whether encoded bodies are requested.
        var isDecoded: Bool
        /// The size of the receive buffer, in bytes.
        var bufferSize: Int
        /// The proxy; `nil` if the connections are direct.
        var proxy: ProxyEndpoint?
    }

    private struct Trust {
        /// The PEM files of the authorities; empty if libcurl itself finds and reads the certificates.
        var files: [String] = []
        /// The certificates of `files` for the current transfer.
        var store: X509Store?
    }

    let handle: UnsafeMutableRawPointer
    private let share: CurlShare
    let certificates: CAStoreCache
    /// The authorities that verify origins.
    private var originTrust = Trust()
    /// The authorities that verify an https proxy.
    private var proxyTrust = Trust()
    /// The headers of the CONNECT request, which no origin receives.
    let proxyHeaders: CurlList
    let kind: Kind
    let userAgent: String
    /// The transfer that the handle carries; `nil` between two transfers.
    var transfer: Transfer?

    /// Creates a handle for HTTP requests only. The handle has no other schemes, no proxy of the environment, no
    /// signals, no HTTP/0.9 and no redirects.
    init(_ kind: Kind, share: CurlShare, certificates: CAStoreCache, userAgent: String) throws(CurlError) {
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
            // The pinned key replaces the trusted authority. The name in the certificate is still verified.
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
            // `BodyDecoder` decodes the body, because it limits the size of the decoded bytes.
            try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        try set(CURLOPT_BUFFERSIZE, kind.bufferSize)
        try setCallbacks()
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    /// Sets the authorities that verify the origin. A libcurl with another TLS library than OpenSSL accepts only one
    /// file, and therefore uses only the host's own file.
    private func setTrust(_ caFile: String?, adding own: String?) throws(CurlError) {
        let system = text(CURLINFO_CAINFO)
        let only = certificates.canBeHandedOver ? caFile : own ?? caFile
        if let only { try set(CURLOPT_CAINFO, only) }
        guard let file = only ?? system else { return }
        guard certificates.canBeHandedOver else {
            guard FileSystem.isRegularFile(file) else { return }
            // libcurl 7.88 caches the certificates of the file for later connections of the multi handle, but only if
            // no certificate directory is set. Some TLS libraries do not support these options, so errors are ignored.
            try? setNothing(CURLOPT_CAPATH)
            try? set(CURLOPT_CA_CACHE_TIMEOUT, 600)
            return
        }
        originTrust.files = [file] + [own].compactMap(\.self)
        if let proxy = kind.proxy, proxy.isSecure {
            proxyTrust.files = [caFile ?? system, proxy.trust?.caFile].compactMap(\.self)
        }
        try setNothing(CURLOPT_CAINFO)
        try setNothing(CURLOPT_CAPATH)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try CurlError.check(unsafe agd_easy_set_ssl_context(handle, beginTLS, context))
    }

    func setNothing(_ option: CURLoption) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_pointer(handle, option, nil))
    }

    /// Prepares a transfer over TLS, so that it is verified with the current certificates.
    func trust() throws(MediaFailure) { try update(&originTrust, CURLOPT_CAPATH) }

    /// Prepares a transfer over an https proxy, so that the proxy is verified with the current certificates.
    func trustProxy() throws(MediaFailure) { try update(&proxyTrust, CURLOPT_PROXY_CAPATH) }

    private func update(_ trust: inout Trust, _ directory: CURLoption) throws(MediaFailure) {
        guard !trust.files.isEmpty else { return }
        let store = try certificates.store(of: trust.files)
        guard store !== trust.store else { return }
        // libcurl finds no certificates in a directory with this name. libcurl reuses connections and TLS sessions only
        // between handles with the same directory.
        do throws(CurlError) { try set(directory, store.name) } catch { throw .refusedOption(error) }
        trust.store = store
    }

    /// Sets the certificates of the `SSL_CTX` of a new TLS connection, and returns whether they were set. The TLS of an
    /// https proxy is around the TLS of the origin.
    func handOverTrust(to connections: OpaquePointer, isToProxy: Bool) -> Bool {
        unsafe (isToProxy ? proxyTrust : originTrust).store?.install(to: connections) ?? false
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

    /// Whether the TLS connections of the handle are metered (see `MeteredConnection`).
    var isMetered: Bool { !originTrust.files.isEmpty }

    /// Makes libcurl report to `driver` the end of each connection of the handle, which may outlive the handle.
    func reportCloses(to driver: MultiHandleDriver) throws(CurlError) {
        let context = unsafe Unmanaged.passUnretained(driver).toOpaque()
        try CurlError.check(unsafe agd_easy_set_close_socket(handle, closeSocket, context))
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_long(handle, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(CurlError) {
        // If the string were passed directly, Swift would first copy it into an array.
        try CurlError.check(unsafe value.withCString { unsafe agd_easy_set_string(handle, option, $0) })
    }

    /// Sets an option to a list, which must outlive the transfer.
    func set(_ option: CURLoption, _ list: borrowing CurlList) throws(CurlError) {
        try CurlError.check(unsafe agd_easy_set_pointer(handle, option, list.head))
    }

    /// Sets the body of the request, which libcurl copies. The method becomes POST unless it is set.
    func setBody(_ bytes: [UInt8]) throws(CurlError) {
        try CurlError.check(
            unsafe bytes.withUnsafeBytes { unsafe agd_easy_set_body(handle, $0.baseAddress, curl_off_t($0.count)) })
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe agd_easy_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// Returns a value of libcurl in microseconds or bytes; -1 if it is unknown.
    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = -1
        return unsafe agd_easy_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : -1
    }

    /// Returns a sentence about the fault in the certificate of the last TLS connection; `nil` if the chain is valid.
    /// `info` is the verification result of the origin or of the proxy, and the sentence names it as `server`.
    func certificateProblem(_ info: CURLINFO = CURLINFO_SSL_VERIFYRESULT, of server: String = "the host") -> String? {
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

/// An error of a libcurl call that fails only because of a bug or a lack of memory.
struct CurlError: Error {
    let code: CURLcode

    static func check(_ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(code: code) }
    }
}

extension CURLcode {
    /// The text of libcurl for the code.
    var words: String { unsafe curl_easy_strerror(self).map { unsafe String(cString: $0) } ?? "error \(rawValue)" }
}

extension CurlEasy {
    /// Sets the proxy of all transfers of the handle. With `nil`, the transfers use no proxy, even if the environment
    /// names one. All protocols use tunnels, so that each transfer ends at the validated address. `caFile` has the
    /// authorities for all hosts, for a libcurl whose TLS library is not the OpenSSL of this process.
    func setProxy(_ proxy: ProxyEndpoint?, caFile: String?) throws(CurlError) {
        try set(CURLOPT_PROXY, proxy?.url ?? "")
        guard let proxy else { return }
        // With an empty list, libcurl does not read `no_proxy` from the environment.
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try set(CURLOPT_PROXYHEADER, proxyHeaders)
        guard proxy.isSecure else { return }
        if let pins = proxy.trust?.pinText {
            try set(CURLOPT_PROXY_PINNEDPUBLICKEY, pins)
            if proxy.trust?.caFile == nil { try set(CURLOPT_PROXY_SSL_VERIFYPEER, 0) }
        }
        guard certificates.canBeHandedOver else {
            if let file = proxy.trust?.caFile ?? caFile { try set(CURLOPT_PROXY_CAINFO, file) }
            return
        }
        try setNothing(CURLOPT_PROXY_CAINFO)
        try setNothing(CURLOPT_PROXY_CAPATH)
    }

    /// Returns the failure of a transfer that libcurl ended before the proxy opened a tunnel.
    func proxyFailure(_ code: CURLcode, after answer: inout TunnelAnswer) -> MediaFailure {
        let isTLS = MediaFailure(code, phase: .connecting, isInHandshake: false).reason == .tlsFailed
        let words =
            code == CURLE_PEER_FAILED_VERIFICATION
            ? certificateProblem(CURLINFO_PROXY_SSL_VERIFYRESULT, of: "the proxy") ?? code.words : code.words
        return answer.failure(isTLS: isTLS, isTimeout: code == CURLE_OPERATION_TIMEDOUT, words)
    }
}
