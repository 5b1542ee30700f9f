package import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel

/// The check of receipts that devices send by signed URLs. A reload of the configuration changes its keys.
package final class SignedReceipts: Sendable {
    /// A receipt with the parts of its URL that the signature covers, and the signature.
    struct Call: Sendable {
        let receipt: Receipt
        let key: RequestKey
        let recipient: String?
        let end: String?
        let signature: String?
    }

    private let urls: Guarded<ReceiptURLs?>

    /// - Parameter urls: The signed URLs; `nil` if no receipt without a token is accepted.
    package init(_ urls: ReceiptURLs?) { self.urls = Guarded(urls) }

    package func change(_ urls: ReceiptURLs?) { self.urls.withLock { $0 = urls } }

    /// Checks that the URL of a call is valid.
    func check(_ call: Call, at now: Date) throws(Problem) {
        guard let urls = urls.withLock(\.self) else {
            throw Problem(
                .notFound, "The daemon accepts no signed receipts, because receipts.signingKeyFile is not set.")
        }
        do throws(URLRefusal) {
            try urls.check(
                call.receipt.event, of: call.key, to: call.recipient, until: call.end, signature: call.signature,
                at: now)
        } catch {
            throw .refused(error, from: "receiptURLs")
        }
    }
}
