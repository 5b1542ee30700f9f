import Base
import CCurl
import NotificationModel

extension MediaFailure {
    /// libcurl has no memory for the handles that every transfer needs.
    static let noLibcurl = MediaFailure(.internal, "libcurl cannot be started")

    static let longHeader = MediaFailure(.tooLarge, "a header line of the response has more than 100 KiB")

    /// Returns the failure for an option that libcurl refuses, which is a bug of the daemon.
    static func refusedOption(_ fault: CurlError) -> MediaFailure {
        MediaFailure(.internal, "libcurl refuses an option: \(fault.code.words)")
    }

    /// Creates the failure for an error code of libcurl. `isInHandshake` means that the connection was open and its TLS
    /// handshake was not finished.
    init(_ code: CURLcode, phase: StallDetector.Phase, isInHandshake: Bool) {
        self.init(Self.reason(of: code, phase: phase, isInHandshake), code.words)
    }

    private static func reason(
        of code: CURLcode, phase: StallDetector.Phase, _ isInHandshake: Bool
    ) -> DegradationReason {
        switch code {
        // libcurl reports a malformed or endless response with several codes. After the request was sent, these codes
        // never mean a fault of the URL.
        case CURLE_UNSUPPORTED_PROTOCOL where phase == .connecting: .forbiddenScheme
        case CURLE_URL_MALFORMAT where phase == .connecting: .invalidURL
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR,
            CURLE_BAD_FUNCTION_ARGUMENT:
            phase == .connecting ? .internal : .connectionLost
        case CURLE_COULDNT_RESOLVE_HOST: .dnsFailed
        case CURLE_COULDNT_CONNECT: .connectFailed
        // libcurl itself limits only the time to connect.
        case CURLE_OPERATION_TIMEDOUT: isInHandshake ? .tlsFailed : .connectFailed
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_INITFAILED:
            .tlsFailed
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_WEIRD_SERVER_REPLY:
            .connectionLost
        // This libcurl does not support the encoding, or the body is damaged.
        case CURLE_BAD_CONTENT_ENCODING: .unsupportedMedia
        default: .internal
        }
    }
}

extension TransferTiming {
    // libcurl measures in microseconds since the start of the transfer, with 0 for a phase that did not occur
    // (curl_easy_getinfo(3)).

    /// Records the connection of the transfer, and the time to establish it or the tunnel of a proxy.
    mutating func noteConnection(_ easy: CurlEasy, tunnel: Duration? = nil) {
        address = easy.text(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
        port = address == nil ? nil : easy.number(CURLINFO_PRIMARY_PORT)
        isReused = address != nil && easy.number(CURLINFO_NUM_CONNECTS) == 0
        if isReused { return }
        let connected = tunnel.map { Int($0.milliseconds * 1_000) } ?? easy.offset(CURLINFO_CONNECT_TIME_T).nonZero
        connect = connected.map { .microseconds($0) }
        tls = Self.span(connected, easy.offset(CURLINFO_APPCONNECT_TIME_T).nonZero)
    }

    /// Records the status, the protocol and the number of received bytes.
    mutating func noteAnswer(_ easy: CurlEasy) {
        status = easy.number(CURLINFO_RESPONSE_CODE).nonZero
        protocolName = easy.protocolName
        wireBytes = max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))
    }

    private static func span(_ start: Int?, _ end: Int?) -> Duration? {
        guard let start, let end, end >= start else { return nil }
        return .microseconds(end - start)
    }
}

extension CurlEasy {
    /// The protocol of the response; `nil` before the response.
    var protocolName: String? {
        switch number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): "http/1.0"
        case Int(CURL_HTTP_VERSION_1_1): "http/1.1"
        case Int(CURL_HTTP_VERSION_2_0): "h2"
        default: nil
        }
    }
}

extension Int {
    fileprivate var nonZero: Int? { self > 0 ? self : nil }
}
