package import Authentication
import NotificationModel

/// A configured server that gets messages about results and receipts.
package struct CallbackTarget: Sendable, Equatable {
    /// The kind of server, with its credentials.
    package enum Kind: Sendable, Equatable {
        case webhook(url: String, keys: WebhookKeys)
        case sendios(SendiosAccount)
        case comapi(ComapiAccount)

        /// Whether status 410 concerns the whole target. Comapi answers it for one conversation that has ended.
        var endsWhenGone: Bool { if case .comapi = self { false } else { true } }
    }

    package var name: String
    package var kind: Kind
    /// The URL without its query, which may be a secret, for people.
    package var shownURL: String
    package var routing: CallbackRouting.Target
    /// The maximum number of requests at a time.
    package var concurrent: Int = 4
    /// The maximum time for one request.
    package var timeout: Duration = .seconds(15)

    /// The public keys of the target's signatures, as `whpk_…`.
    var publicKeys: [String] { if case .webhook(_, let keys) = kind { keys.publicKeys } else { [] } }

    func sender(over caller: any OutgoingCalling) -> any CallbackSending {
        switch kind {
        case .webhook(let url, let keys): WebhookSender(url: url, keys: keys, timeout: timeout, caller: caller)
        case .sendios(let account): SendiosSender(account: account, timeout: timeout, caller: caller)
        case .comapi(let account): ComapiSender(account: account, timeout: timeout, caller: caller)
        }
    }
}
