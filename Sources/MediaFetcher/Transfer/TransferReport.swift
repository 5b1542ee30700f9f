import FoundationEssentials
import HTTPCaching
import MediaHeaders
import NotificationModel

/// How a transfer ended, and all that was learned on the way.
///
/// An object, as it goes through many hands: a task keeps room for each copy of a large value that it may come by.
final class TransferReport: Sendable {
    /// `nil`: an answer came, and as much of its body as was wanted.
    let failure: MediaFailure?
    /// Something may have been sent.
    let isBegun: Bool
    /// The request went over a connection that had carried another request, or over several of them.
    let isOverKeptConnection: Bool
    /// The origin has flooded the connection (`FloodDetector`).
    let isFlooded: Bool
    /// The origin sent a response that libcurl does not read.
    let isUnreadable: Bool
    /// Why the proxy has opened no tunnel; `nil`: there was one, or no proxy, or the transfer failed by something else.
    let proxyFailure: ProxyFailure?
    /// Of the answer, where one came.
    let head: ResponseHead?
    /// Its body is in the file, as far as it came.
    let isWanted: Bool
    let file: MediaFile?
    /// Bytes of the body that are in the file, those of earlier tries included.
    let byteCount: Int
    /// By the first bytes.
    let mediaClass: MediaClass?
    /// They are in the order and number of the representation: no encoding stands between.
    let isResumable: Bool
    /// The whole length, where the origin tells it.
    let completeLength: Int?
    let timing: TransferTiming
    let requestTime: Date
    let responseTime: Date

    init(
        failure: MediaFailure?, isBegun: Bool = true, isOverKeptConnection: Bool = false, isFlooded: Bool = false,
        isUnreadable: Bool = false, proxyFailure: ProxyFailure? = nil, head: ResponseHead? = nil,
        isWanted: Bool = false, file: MediaFile? = nil,
        byteCount: Int = 0,
        mediaClass: MediaClass? = nil,
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
        self.mediaClass = mediaClass
        self.isResumable = isResumable
        self.completeLength = completeLength
        self.timing = timing
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// Nothing was sent.
    convenience init(of request: TransferRequest, unstarted failure: MediaFailure) {
        self.init(failure: failure, isBegun: false, timing: request.timing, requestTime: .now, responseTime: .now)
    }
}
