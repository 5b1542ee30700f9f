import MediaHeaders
import NotificationModel

/// One request to one origin: what to send and to which addresses, and what of the answer is kept.
///
/// An object, as the transfer and the engine look into it all the time.
final class TransferRequest: Sendable {
    /// What of an answer's body is wanted.
    enum BodyMode: Sendable, Equatable {
        /// A medium: bodies of successes, decoded, as long as the limits allow.
        case media
        /// The rest of a medium of which so many bytes are in the file: a 206 that begins there and is of the same
        /// entity tag and length, where it says them, or all of it again.
        case resume(from: Int, as: MediaClass?, of: String? = nil, length: Int? = nil)
        /// A medium, or the part of one that the request asks for, not decoded.
        case range
        /// The part of a medium that begins there, and is of the same version, and nothing else.
        case tail(from: Int, of: ArrivingMedia.Version)
        /// Any body, as it is on the wire, up to so many bytes.
        case raw(Int)
    }

    enum Connection: Sendable, Equatable {
        case any
        /// The host's connections carry many at a time: rather one that is being made than another.
        case multiplexed
        /// Beside another transfer for the same: not one that may be as stuck as that.
        case dedicated
    }

    /// Whose rules it is under, who makes files for it and is told how far it has come.
    let errand: FetchContext
    /// Judged already.
    let url: String
    var isSecure: Bool { url.utf8.starts(with: "https:".utf8) }
    let method: String
    /// How the host's certificate is judged; `nil`: like all others.
    let trust: OriginTrust?
    /// `Name: value`, besides our own.
    let headers: [String]
    let body: [UInt8]
    /// The addresses of the host, which are judged, or those of the proxy. `nil` if the server that is connected to is
    /// named by its address.
    let pin: AddressPin?
    /// `nil`: the host is connected to directly.
    let tunnel: Tunnel?
    /// Of an earlier try, where this one is to go on with it. Else one is made when the first byte comes that is wanted:
    /// what stalls or fails costs none.
    let file: MediaFile?
    let bodyMode: BodyMode
    let connection: Connection
    /// Its connection carries nobody else's answers.
    let isAlone: Bool
    /// Whether the host is offered HTTP/2, if it is an https host.
    let allowsHTTP2: Bool
    /// libcurl has failed to read a response of the origin: `LenientResponse` reads this one.
    let isLenient: Bool
    let trace: TraceFanout
    /// What is told of it while it runs.
    let running: LiveTransferTiming?
    // As `timing`: that would be 240 bytes.
    let origin: String
    private let dns: Duration?
    /// Told what the places of transfers depend on, on the thread that it runs on.
    let movement: (@Sendable (TransferActivity) -> Void)?
    /// When nothing moves any more, there may be another transfer for the same, into another file. The first one to
    /// succeed counts.
    let mayBeHedged: Bool

    init(
        _ url: String, for errand: FetchContext, method: String = "GET", trust: OriginTrust? = nil,
        headers: [String] = [],
        body: [UInt8] = [],
        pin: AddressPin? = nil, tunnel: Tunnel? = nil, file: MediaFile? = nil, bodyMode: BodyMode = .media,
        connection: Connection = .any,
        isAlone: Bool = false, allowsHTTP2: Bool = true, isLenient: Bool = false, trace: TraceFanout? = nil,
        running: LiveTransferTiming? = nil,
        timing: TransferTiming,
        movement: (@Sendable (TransferActivity) -> Void)? = nil, mayBeHedged: Bool = false
    ) {
        self.url = url
        self.errand = errand
        self.method = method
        self.trust = trust
        self.headers = headers
        self.body = body
        self.pin = pin
        self.tunnel = tunnel
        self.file = file
        self.bodyMode = bodyMode
        self.connection = connection
        self.isAlone = isAlone
        self.allowsHTTP2 = allowsHTTP2
        self.isLenient = isLenient
        self.trace = trace ?? errand.trace
        self.running = running
        (origin, dns) = (timing.origin, timing.dns)
        self.movement = movement
        self.mayBeHedged = mayBeHedged
    }

    /// What of it is known before: where it goes to, and what its addresses took.
    var timing: TransferTiming {
        var timing = TransferTiming(origin: origin)
        timing.dns = dns
        return timing
    }

    var limits: FetchLimits { errand.rules.policy.limits }
    var isPlainGet: Bool { method == "GET" && body.isEmpty }

    /// The second transfer for the same. The stages are those of the first: two at a time would be a step back for who
    /// reads them.
    var hedge: TransferRequest? {
        guard mayBeHedged else { return nil }
        return TransferRequest(
            url, for: errand, trust: trust, headers: headers, pin: pin, tunnel: tunnel, bodyMode: bodyMode,
            connection: .dedicated, isAlone: isAlone, allowsHTTP2: allowsHTTP2, trace: TraceFanout(), timing: timing)
    }
}

enum TransferActivity: Sendable, Equatable {
    /// The transfer has its connection, and TLS is agreed upon.
    case connected
    /// The origin has answered with a status that is no failure of the host.
    case answered
    case stalled
    case resumed
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
