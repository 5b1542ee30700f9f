/// Detects an origin that sends bytes without a response: frames of HTTP/2, interim responses, extensions of chunks, and
/// the like.
///
/// It compares the bytes that a connection has received with the bytes of headers and bodies that came of them. libcurl
/// 7.88 reads an HTTP/2 connection for as long as it has data, and returns only when a stream gets some of it. An origin
/// that sends frames of another kind would keep the thread, and all other transfers on it, for as long as it sends.
struct FloodDetector {
    /// Bytes beside the response that each transfer may bring, in bytes. They take the thread less than 10 ms: 256 KiB are
    /// 18,000 frames of the smallest kind.
    static let allowance = 262_144
    /// Bytes that may be received for each byte of a response. A chunk of 10 bytes has an overhead of 5 bytes in
    /// HTTP/1.1, and of 9 bytes in HTTP/2.
    static let mostPerResponseByte = 4
    /// Bytes that libcurl holds for each transfer of a connection until the transfer's turn comes (`CURLOPT_BUFFERSIZE`).
    static let heldPerTransfer = 102_400

    /// Most bytes that may still come of responses that were refused or cancelled. The origin sends them until it learns
    /// of the end, for about one round trip.
    static let mostLateBytes = 4_194_304

    /// Received bytes that are not yet accounted for by a response. It is negative if late bytes may come.
    private(set) var excess = 0
    /// Number of transfers that use the connection.
    private(set) var transferCount = 0
    private(set) var isFlooded = false

    /// A transfer begins to use the connection. The excess of an earlier transfer no longer counts.
    mutating func begin() {
        transferCount += 1
        forgive(Self.allowance)
    }

    /// - Parameter missing: bytes of the response that have not come; `nil`: their number is not known.
    mutating func end(missing: Int?) {
        transferCount -= 1
        excess = max(-Self.mostLateBytes, excess - min(missing ?? Self.mostLateBytes, Self.mostLateBytes))
    }

    /// Bytes have arrived, those of TLS included.
    ///
    /// - Parameter delivered: bytes of the headers or bodies of responses that have reached their transfers since the last
    ///   call, if `delivered` was not called for them.
    /// - Returns: whether the origin floods the connection.
    mutating func received(_ count: Int, delivered: Int = 0) -> Bool {
        excess += count
        self.delivered(delivered)
        if excess > Self.allowance + transferCount * Self.heldPerTransfer { isFlooded = true }
        return isFlooded
    }

    /// Bytes of the headers or the body of a response have reached their transfer.
    mutating func delivered(_ count: Int) { forgive(count * Self.mostPerResponseByte) }

    private mutating func forgive(_ count: Int) {
        if excess > 0 { excess = max(0, excess - count) }
    }
}
