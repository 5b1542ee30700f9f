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

    /// Creates the failure for an error code of libcurl.
    ///
    /// - Parameter isInHandshake: whether the connection was open and its TLS handshake was not finished.
    init(_ code: CURLcode, phase: StallDetector.Phase, isInHandshake: Bool) {
        self.init(Self.reason(of: code, phase: phase, isInHandshake), code.words)
    }

    private static func reason(
        of code: CURLcode, phase: StallDetector.Phase, _ isInHandshake: Bool
    ) -> DegradationReason {
        switch code {
        // libcurl reports a malformed or endless response with several codes. After the request was sent, these codes
        // never mean a fault of the URL.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR,
            CURLE_BAD_FUNCTION_ARGUMENT:
            phase == .waiting || phase == .receiving ? .connectionLost : Self.refusal(code)
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

    /// Returns the reason of an error that occurred before the request was sent.
    private static func refusal(_ code: CURLcode) -> DegradationReason {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL: .forbiddenScheme
        case CURLE_URL_MALFORMAT: .invalidURL
        default: .internal
        }
    }
}
