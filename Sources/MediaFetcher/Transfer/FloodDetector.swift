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

    /// Received bytes that are not yet accounted for by a response.
    private(set) var excess = 0
    /// Number of transfers that use the connection.
    private(set) var transferCount = 0
    private(set) var isFlooded = false

    /// A transfer begins to use the connection. What an earlier transfer left is no longer held against the origin.
    mutating func begin() {
        transferCount += 1
        excess = max(0, excess - Self.allowance)
    }

    mutating func end() { transferCount -= 1 }

    /// Bytes have arrived, those of TLS included.
    ///
    /// - Returns: whether the origin floods the connection.
    mutating func received(_ count: Int) -> Bool {
        excess += count
        if excess > Self.allowance + transferCount * Self.heldPerTransfer { isFlooded = true }
        return isFlooded
    }

    /// Bytes of the headers or the body of a response have reached their transfer.
    mutating func delivered(_ count: Int) { excess = max(0, excess - count * Self.mostPerResponseByte) }
}
