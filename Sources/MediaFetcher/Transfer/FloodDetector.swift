/// A detector for origins that flood a connection with bytes outside of responses. Examples are HTTP/2 frames, interim
/// responses and chunk extensions.
///
/// The detector compares the bytes that a connection has received with the bytes of the headers and bodies that
/// resulted from them. libcurl 7.88 reads an HTTP/2 connection as long as it has data, and returns only when a stream
/// gets some of the data. An origin that sends other frames would block the thread and all its transfers for as long as
/// it sends.
struct FloodDetector {
    /// The number of bytes outside of the response that each transfer may receive. These bytes occupy the thread for
    /// less than 10 ms: 256 KiB are 18,000 frames of the smallest kind.
    static let allowance = 262_144
    /// The number of bytes that may be received for each byte of a response, including the byte itself. A chunk of 10
    /// bytes takes 15 bytes in HTTP/1.1, and 19 bytes in HTTP/2.
    static let maxPerResponseByte = 2
    /// The number of bytes that libcurl buffers for each transfer of a connection until it processes the transfer
    /// (`CURLOPT_BUFFERSIZE`).
    static let bufferedPerTransfer = 102_400
    /// The maximum number of bytes that may still arrive for refused or cancelled responses. The origin sends them
    /// until it learns of the cancellation, for about one round trip.
    static let maxLateBytes = 4_194_304
    /// The number of body bytes from which on a part of a body is no small one. libcurl delivers each chunk in a separate
    /// call, and each call writes to a file.
    static let bytesPerCall = 32
    /// The number of bytes by which the small parts of a body may be smaller: 2,200 parts of two bytes, which occupy the
    /// thread for about 4 ms.
    static let callAllowance = 65_536

    /// The number of received bytes that no response accounts for yet. The number is negative if late bytes may arrive.
    private(set) var excess = 0
    /// The number of received bytes that no response accounts for, over the whole life of the connection. The number
    /// has no reductions for late bytes, so it limits the sum of all late bytes.
    private(set) var excessOfLife = 0
    /// The cost of small parts of bodies, in bytes.
    private(set) var callExcess = 0
    /// The number of transfers that use the connection.
    private(set) var transferCount = 0
    private(set) var isFlooded = false

    /// Records that a transfer begins to use the connection. The excess of earlier transfers is reduced by `allowance`.
    mutating func begin() {
        transferCount += 1
        forgive(Self.allowance)
        excessOfLife = max(0, excessOfLife - Self.allowance)
    }

    /// Records that a transfer leaves the connection, with its missing response bytes; `nil` if they are unknown.
    mutating func end(missing: Int?) {
        transferCount -= 1
        excess = max(-Self.maxLateBytes, excess - min(missing ?? Self.maxLateBytes, Self.maxLateBytes))
    }

    /// Records received bytes, including those of TLS, and returns whether the origin floods the connection.
    /// `delivered` is the number of header and body bytes that have reached their transfers since the last call. The
    /// number is 0 if `delivered` was called for them.
    mutating func received(_ count: Int, delivered: Int = 0) -> Bool {
        excess += count
        excessOfLife += count
        self.delivered(delivered)
        let limit = Self.allowance + transferCount * Self.bufferedPerTransfer
        if excess > limit || excessOfLife > limit + Self.maxLateBytes { isFlooded = true }
        return isFlooded
    }

    /// Records that header or body bytes have reached their transfer. The bytes are counted in their size on the wire.
    mutating func delivered(_ count: Int) {
        forgive(count * Self.maxPerResponseByte)
        excessOfLife = max(0, excessOfLife - count * Self.maxPerResponseByte)
    }

    /// Records a delivered part of a body, and returns whether the origin floods the connection with small parts.
    mutating func handedOver(_ count: Int) -> Bool {
        callExcess = max(0, callExcess + Self.bytesPerCall - count)
        if callExcess > Self.callAllowance { isFlooded = true }
        return isFlooded
    }

    private mutating func forgive(_ count: Int) {
        if excess > 0 { excess = max(0, excess - count) }
    }
}
