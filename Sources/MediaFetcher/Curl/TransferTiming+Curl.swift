import CCurl
import NotificationModel
import Primitives

extension TransferTiming {
    // libcurl measures in microseconds since the start of the transfer, with 0 for a phase that did not occur
    // (curl_easy_getinfo(3)).

    /// Records the connection of the transfer, and the time to establish it.
    ///
    /// - Parameter tunnel: the time until the proxy opened the tunnel, which then counts as the connection; `nil` if
    ///   the transfer uses no proxy.
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
