import CCurl
import NotificationModel

extension MediaFailure {
    /// It has no memory for a handle that everything else rests on.
    static let noLibcurl = MediaFailure(.internal, "libcurl cannot be started")

    static let longHeader = MediaFailure(.tooLarge, "a header line of the response has more than 100 KiB")

    /// Of those that this program sets: a fault of its own.
    static func refusedOption(_ fault: CurlError) -> MediaFailure {
        MediaFailure(.internal, "libcurl refuses an option: \(fault.code.words)")
    }

    /// The reason behind libcurl's code.
    ///
    /// - Parameter isInHandshake: the connection is there, and its TLS is not.
    init(_ code: CURLcode, phase: StallDetector.Phase, isInHandshake: Bool) {
        self.init(Self.reason(of: code, phase: phase, isInHandshake), code.words)
    }

    private static func reason(
        of code: CURLcode, phase: StallDetector.Phase, _ isInHandshake: Bool
    ) -> DegradationReason {
        switch code {
        // What is no HTTP, or has a head without end, has many codes; what the origin sends is never the URL's fault.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR,
            CURLE_BAD_FUNCTION_ARGUMENT:
            phase == .waiting || phase == .receiving ? .connectionLost : Self.refusal(code)
        case CURLE_COULDNT_RESOLVE_HOST: .dnsFailed
        case CURLE_COULDNT_CONNECT: .connectFailed
        // Only connecting has a limit of libcurl's own.
        case CURLE_OPERATION_TIMEDOUT: isInHandshake ? .tlsFailed : .connectFailed
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_INITFAILED:
            .tlsFailed
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_WEIRD_SERVER_REPLY:
            .connectionLost
        // An encoding that this libcurl does not know, or that does not decode.
        case CURLE_BAD_CONTENT_ENCODING: .unsupportedMedia
        default: .internal
        }
    }

    /// Before anything was sent.
    private static func refusal(_ code: CURLcode) -> DegradationReason {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL: .forbiddenScheme
        case CURLE_URL_MALFORMAT: .invalidURL
        default: .internal
        }
    }
}
