import MediaHeaders
import NotificationModel

/// One request to one origin: what to send and to which addresses, and what of the answer is kept.
///
/// An object, as the transfer and the engine look into it all the time.
final class TransferRequest {
    /// What of an answer's body is wanted.
    enum Appetite: Sendable, Equatable {
        /// A medium: bodies of successes, decoded, as long as the limits allow.
        case medium
        /// The rest of a medium of which so many bytes are in the file: a 206 that begins there and is of the same
        /// entity tag and length, where it says them, or all of it again.
        case rest(from: Int, as: MediaClass?, of: String? = nil, length: Int? = nil)
        /// A medium, or the part of one that the request asks for, not decoded.
        case part
        /// Any body, as it is on the wire, up to so many bytes.
        case everything(Int)
    }

    enum Connection: Sendable, Equatable {
        case any
        /// The host's connections carry many at a time: rather one that is being made than another.
        case shared
        /// Beside another transfer for the same: not one that may be as stuck as that.
        case own
    }

    /// Whose rules it is under, who makes files for it and is told how far it has come.
    let errand: Errand
    /// Judged already.
    let url: String
    var method = "GET"
    /// `Name: value`, besides our own.
    var headers: [String] = []
    var body: [UInt8] = []
    /// What the host's name was resolved to, judged; `nil` for an address that is written into the URL.
    var pin: AddressPin?
    /// Of an earlier try, where this one is to go on with it. Else one is made when the first byte comes that is wanted:
    /// what stalls or fails costs none.
    var file: MediaFile?
    var appetite = Appetite.medium
    var connection = Connection.any
    /// Its connection carries nobody else's answers.
    var isAlone = false
    /// Memory counts more than a few calls of the kernel.
    var isOneOfMany = false
    var trace: FlightTrace
    /// What is told of it while it runs.
    var running: RunningTransfer?
    /// Told what the places of transfers depend on.
    var movement: ((TransferMovement) -> Void)?
    /// When nothing moves any more, there may be another transfer for the same, into another file. The first one to
    /// succeed counts.
    var mayBeHedged = false

    init(_ url: String, for errand: Errand) {
        self.url = url
        self.errand = errand
        trace = errand.trace
    }

    var limits: FetchLimits { errand.rules.policy.limits }
    var isPlainGet: Bool { method == "GET" && body.isEmpty }

    /// The second transfer for the same.
    var hedge: TransferRequest? {
        guard mayBeHedged else { return nil }
        let second = TransferRequest(url, for: errand)
        (second.headers, second.pin, second.appetite) = (headers, pin, appetite)
        second.connection = .own
        (second.isAlone, second.isOneOfMany) = (isAlone, isOneOfMany)
        // The stages are those of the first: two at a time would be a step back for who reads them.
        second.trace = FlightTrace()
        return second
    }
}

enum TransferMovement: Sendable, Equatable {
    /// Over a connection of its own, or another's.
    case connected
    case stoodStill
    case movesAgain
}

/// What libcurl is to believe of a host, instead of asking a name server of its own.
struct AddressPin: Sendable, Equatable {
    var host: String
    var port: UInt16
    var addresses: [IPAddress]

    /// `+host:port:address,[address]`: kept no longer than libcurl keeps what it looks up (CURLOPT_RESOLVE).
    var text: String {
        let list = addresses.map { address in
            switch address {
            case .v4: address.text
            case .v6: "[\(address.text)]"
            }
        }
        return "+\(host):\(port):\(list.joined(separator: ","))"
    }
}
