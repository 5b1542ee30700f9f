import Base
import FoundationEssentials
import HTTPCaching
import LinuxIO
import NotificationModel

/// The result of a transfer, with the facts about its response and its connection.
///
/// The report is a class, because a task reserves space for each copy of a large value that its functions pass on. The
/// transfer sets the properties before it passes the report on, and nothing changes them afterwards.
final class TransferReport: @unchecked Sendable {
    /// The failure; `nil` if a response arrived with as much of its body as was requested.
    var failure: MediaFailure?
    var timing: TransferTiming
    /// Whether bytes may have been sent.
    var isBegun = true
    /// Whether the request was sent over a reused connection, or over several connections.
    var isOverKeptConnection = false
    /// Whether the origin has flooded the connection (`FloodDetector`).
    var isFlooded = false
    /// Whether the origin sent a response that libcurl does not accept.
    var isUnreadable = false
    /// The reason why the proxy opened no tunnel; `nil` if there was a tunnel, no proxy, or another reason.
    var proxyFailure: ProxyFailure?
    /// The status and the headers of the response; `nil` if none arrived.
    var head: ResponseHead?
    var requestTime = Date.now
    var responseTime = Date.now
    /// Whether the received part of the body is in the file.
    var isWanted = false
    var file: MediaFile?
    /// The checksum of the bytes in the file (`Checksum`); `nil` if it is unknown.
    var checksum: UInt64?
    /// The number of body bytes in the file, including those of earlier attempts.
    var byteCount = 0
    /// The class of the media item, as its first bytes show; `nil` if it is unknown.
    var mediaKind: MediaKind?
    /// Whether the body has no encoding, so that its bytes match the positions of a range.
    var isResumable = false
    /// Whether the origin sent other bytes of the requested rest than its `Content-Range` says, and ended the response.
    var hasWrongRange = false
    /// The fault of the content coding of a body whose decoded bytes are all there; `nil` for other bodies.
    var codingFault: MediaFailure?
    /// The length of the whole body, in bytes; `nil` if the origin does not announce it.
    var completeLength: Int?

    init(_ failure: MediaFailure?, _ timing: TransferTiming) {
        self.failure = failure
        self.timing = timing
    }

    /// Creates the report of a transfer that has sent nothing.
    convenience init(of request: TransferRequest, unstarted failure: MediaFailure) {
        self.init(failure, request.timing)
        isBegun = false
    }
}
