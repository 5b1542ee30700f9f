import FoundationEssentials
import HTTPCaching
import MediaHeaders
import NotificationModel

/// How a transfer ended, and all that was learned on the way.
struct TransferReport: Sendable {
    /// `nil`: an answer came, and as much of its body as was wanted.
    var failure: MediaFailure?
    /// Of the answer, where one came.
    var head: ResponseHead?
    /// Its body is in the file, as far as it came.
    var isWanted = false
    var file: MediaFile?
    /// Bytes of the body that are in the file, those of earlier tries included.
    var byteCount = 0
    /// By the first bytes.
    var mediaClass: MediaClass?
    /// They are in the order and number of the representation: no encoding stands between.
    var isResumable = false
    /// The whole length, where the origin tells it.
    var completeLength: Int?
    var timing: TransferTiming
    var requestTime: Date
    var responseTime: Date
}

extension TransferReport {
    /// Nothing was sent.
    init(unstarted failure: MediaFailure) {
        self.init(
            failure: failure, timing: TransferTiming(origin: ""), requestTime: .now,
            responseTime: .now)
    }
}
