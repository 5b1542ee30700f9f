import FoundationEssentials
import HTTPCaching
import MediaTypes
import NotificationModel

/// The result of a transfer, with the facts about its response and its connection.
///
/// The report is a class, because a task reserves space for each copy of a large value that its functions pass on.
final class TransferReport: Sendable {
    /// The failure; `nil` if a response arrived with as much of its body as was requested.
    let failure: MediaFailure?
    /// Whether bytes may have been sent.
    let isBegun: Bool
    /// Whether the request was sent over a reused connection, or over several connections.
    let isOverKeptConnection: Bool
    /// Whether the origin has flooded the connection (`FloodDetector`).
    let isFlooded: Bool
    /// Whether the origin sent a response that libcurl does not accept.
    let isUnreadable: Bool
    /// The reason why the proxy opened no tunnel; `nil` if there was a tunnel or no proxy, or if the failure has
    /// another reason.
    let proxyFailure: ProxyFailure?
    /// The status and the headers of the response; `nil` if none arrived.
    let head: ResponseHead?
    /// Whether the received part of the body is in the file.
    let isWanted: Bool
    let file: MediaFile?
    /// The number of body bytes in the file, including those of earlier attempts.
    let byteCount: Int
    /// The class of the media item, as its first bytes show; `nil` if it is unknown.
    let mediaKind: MediaKind?
    /// Whether the body has no encoding, so that its bytes match the positions of a range.
    let isResumable: Bool
    /// The length of the whole body, in bytes; `nil` if the origin does not announce it.
    let completeLength: Int?
    let timing: TransferTiming
    let requestTime: Date
    let responseTime: Date

    init(
        failure: MediaFailure?, isBegun: Bool = true, isOverKeptConnection: Bool = false, isFlooded: Bool = false,
        isUnreadable: Bool = false, proxyFailure: ProxyFailure? = nil, head: ResponseHead? = nil,
        isWanted: Bool = false, file: MediaFile? = nil,
        byteCount: Int = 0,
        mediaKind: MediaKind? = nil,
        isResumable: Bool = false, completeLength: Int? = nil, timing: TransferTiming,
        requestTime: Date, responseTime: Date
    ) {
        self.failure = failure
        self.isBegun = isBegun
        self.isOverKeptConnection = isOverKeptConnection
        self.isFlooded = isFlooded
        self.isUnreadable = isUnreadable
        self.proxyFailure = proxyFailure
        self.head = head
        self.isWanted = isWanted
        self.file = file
        self.byteCount = byteCount
        self.mediaKind = mediaKind
        self.isResumable = isResumable
        self.completeLength = completeLength
        self.timing = timing
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// Creates the report of a transfer that has sent nothing.
    convenience init(of request: TransferRequest, unstarted failure: MediaFailure) {
        self.init(failure: failure, isBegun: false, timing: request.timing, requestTime: .now, responseTime: .now)
    }
}
