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
    /// Bytes that may be received for each byte of a response, this byte included. A chunk of 10 bytes takes 15 bytes in
    /// HTTP/1.1, and 19 bytes in HTTP/2.
    static let mostPerResponseByte = 2
    /// Bytes that libcurl holds for each transfer of a connection until the transfer's turn comes (`CURLOPT_BUFFERSIZE`).
    static let heldPerTransfer = 102_400
    /// Most bytes that may still come of responses that were refused or cancelled. The origin sends them until it learns
    /// of the end, for about one round trip.
    static let mostLateBytes = 4_194_304
    /// Bytes of a body whose processing takes as long as the call that hands them over. libcurl hands over each chunk in a
    /// call of its own, and each call writes to a file.
    static let bytesPerCall = 32

    /// Received bytes that are not yet accounted for by a response. It is negative if late bytes may come.
    private(set) var excess = 0
    /// The same for the whole life of the connection, without forgetting. It bounds the sum of all late bytes.
    private(set) var excessOfLife = 0
    /// Cost of small parts of bodies, in bytes.
    private(set) var callExcess = 0
    /// Number of transfers that use the connection.
    private(set) var transferCount = 0
    private(set) var isFlooded = false

    /// A transfer begins to use the connection. The excess of an earlier transfer no longer counts.
    mutating func begin() {
        transferCount += 1
        forgive(Self.allowance)
        excessOfLife = max(0, excessOfLife - Self.allowance)
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
        excessOfLife += count
        self.delivered(delivered)
        let limit = Self.allowance + transferCount * Self.heldPerTransfer
        if excess > limit || excessOfLife > limit + Self.mostLateBytes { isFlooded = true }
        return isFlooded
    }

    /// Bytes of the headers or the body of a response have reached their transfer, as they were on the wire.
    mutating func delivered(_ count: Int) {
        forgive(count * Self.mostPerResponseByte)
        excessOfLife = max(0, excessOfLife - count * Self.mostPerResponseByte)
    }

    /// A part of a body was handed over.
    ///
    /// - Returns: whether the origin floods the connection with small parts.
    mutating func handedOver(_ count: Int) -> Bool {
        callExcess = max(0, callExcess + Self.bytesPerCall - count)
        if callExcess > Self.allowance { isFlooded = true }
        return isFlooded
    }

    private mutating func forgive(_ count: Int) {
        if excess > 0 { excess = max(0, excess - count) }
    }
}
