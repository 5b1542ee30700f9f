import Base
import LinuxIO
import NotificationModel

/// A request to one origin: the request, the addresses, and the part of the response that is kept.
///
/// The request is a class, because the transfer and the driver read it often, and must not copy it each time.
final class TransferRequest: Sendable {
    /// The part of a response body that is accepted.
    enum BodyMode: Sendable, Equatable {
        /// A media item: the decoded body of a success, within the limits.
        case media
        /// The rest of a media item, of which `from` bytes are in the file. A 206 from that position is accepted, if it
        /// has no other entity tag or length than the given one. The whole body is accepted too.
        case resume(from: Int, as: MediaKind?, of: String? = nil, length: Int? = nil)
        /// A media item or the requested range of a media item, without decoding.
        case range
        /// The part of a media item from a position to its end, of the given version. No other response is accepted.
        case tail(from: Int, of: ArrivingMedia.Version)
        /// Any body as on the wire, up to this number of bytes.
        case raw(Int)
        /// The answer to a message: its status, and the beginning of its body as on the wire, up to this number of bytes
        /// and for at most a second.
        case answer(Int)
    }

    enum Connection: Sendable, Equatable {
        case any
        /// The connections of the host are multiplexed. A transfer waits for a connection that is being made, and does
        /// not open another one.
        case multiplexed
        /// A new connection that races another transfer of the same request. A reused connection may be stalled too.
        case dedicated
    }

    /// The context of the fetch, which has the rules, creates the file and receives the progress.
    let context: FetchContext
    let url: ValidatedURL
    let method: String
    /// The header lines `Name: value`, in addition to those of the daemon.
    let headers: [String]
    let body: [UInt8]
    /// The validated addresses of the host, or those of the proxy. The pin is `nil` if the URL or the configuration of
    /// the proxy has an address instead of a name.
    let pin: AddressPin?
    /// The tunnel; `nil` if the connection is direct.
    let tunnel: Tunnel?
    /// The file of an earlier attempt that this attempt continues; `nil` if it continues no file. A new file is created
    /// with the first accepted byte, so that a transfer that stalls or fails before that byte needs no file.
    let file: MediaFile?
    let bodyMode: BodyMode
    let connection: Connection
    /// Whether the connection carries no other transfers.
    let isAlone: Bool
    /// Whether an https host is offered HTTP/2.
    let allowsHTTP2: Bool
    /// Whether `LenientResponse` parses the response, because libcurl did not accept the previous response.
    let isLenient: Bool
    /// The timing of the running transfer, which other threads can read; `nil` for a second transfer.
    let running: LiveTransferTiming?
    /// The record of the answer; `nil` if the daemon does not record requests.
    private let record: TransferRecord?
    // Only the origin and `dns` are known before the transfer. A stored `TransferTiming` would take 240 bytes.
    private let dns: Duration?
    /// A callback for the changes of activity that affect permits. The callback runs on the thread of the transfer.
    let movement: (@Sendable (TransferActivity) -> Void)?
    /// Whether a second transfer, into another file, may race this one after it has stalled. The first success is used.
    let mayBeHedged: Bool

    init(
        _ url: ValidatedURL, for context: FetchContext, method: String = "GET", headers: [String], body: [UInt8] = [],
        pin: AddressPin?, tunnel: Tunnel?, file: MediaFile? = nil, bodyMode: BodyMode, connection: Connection,
        isAlone: Bool, allowsHTTP2: Bool, isLenient: Bool = false, isSecond: Bool = false, dns: Duration?,
        movement: (@Sendable (TransferActivity) -> Void)? = nil, mayBeHedged: Bool = false
    ) {
        self.url = url
        self.context = context
        self.method = method
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
        self.dns = dns
        self.movement = movement
        self.mayBeHedged = mayBeHedged
        let record = context.rules.policy.recordsTransfers ? TransferRecord(url: url.text) : nil
        self.record = record
        running = isSecond ? nil : LiveTransferTiming(Self.timing(of: url, dns, record))
    }

    /// The listeners, which expect the stages in ascending order; `nil` for a second transfer.
    var listeners: FetchListeners? { running == nil ? nil : context.listeners }

    /// The part of the timing that is known before the transfer: the origin, and the time of the name resolution.
    var timing: TransferTiming { Self.timing(of: url, dns, record) }

    private static func timing(
        of url: ValidatedURL, _ dns: Duration?, _ record: TransferRecord?
    ) -> TransferTiming {
        var timing = TransferTiming(origin: url.origin)
        timing.dns = dns
        timing.record = record
        return timing
    }

    var limits: FetchLimits { context.rules.policy.limits }
    var isPlainGet: Bool { method == "GET" && body.isEmpty }

    /// The request for a second transfer that races this transfer; `nil` if no second transfer may run.
    var hedge: TransferRequest? {
        guard mayBeHedged else { return nil }
        return TransferRequest(
            url, for: context, headers: headers, pin: pin, tunnel: tunnel, bodyMode: bodyMode, connection: .dedicated,
            isAlone: isAlone, allowsHTTP2: allowsHTTP2, isSecond: true, dns: dns)
    }
}

enum TransferActivity: Sendable, Equatable {
    /// The connection is open, and the TLS handshake has finished.
    case connected
    /// The origin has answered with a status that is no failure of the host.
    case answered
    case stalled
    case resumed
}

/// The addresses that libcurl must use for a host. libcurl does not resolve the host itself.
struct AddressPin: Sendable, Equatable {
    var host: String
    var port: UInt16
    var addresses: [IPAddress]

    /// The text `+host:port:address,[address]` for CURLOPT_RESOLVE, an entry that expires because of its plus sign.
    var text: String { "+\(host):\(port):\(addresses.map(\.textInURL).joined(separator: ","))" }
}

extension TransferRequest {
    /// Returns the URL with which libcurl sends the request unchanged and delivers the response unparsed.
    ///
    /// libcurl does not accept an HTTP/1 response with a header line without a colon. With the scheme `gopher`, or
    /// `gophers` over TLS, libcurl sends the decoded bytes of the path and then `CR LF`. libcurl then reads until the
    /// connection closes (RFC 1436). The rules for addresses, certificates and limits apply as in any other transfer.
    func gopherURL(userAgent: String) -> String {
        let scheme = url.isSecure ? "gophers" : "gopher"
        // The first character of a Gopher path is its type, and is not sent.
        return scheme + url.origin.drop { $0 != ":" } + "/_" + PercentEncoding.text(of: head(userAgent: userAgent))
    }

    /// Returns the request line, the header fields and the body, as libcurl sends them. libcurl adds the empty line, or a
    /// line end after the body, which a server ignores before the next request (RFC 9112 §2.2).
    private func head(userAgent: String) -> String {
        let url = URIReference(url.text)
        let host = url.authority ?? ""
        let own = [
            "Host: \(host)", "User-Agent: \(userAgent)", "Accept: */*",
            "Accept-Encoding: \(ResponseInfo.acceptedEncodings)",
        ]
        // A field that is configured for the host replaces the field of the daemon.
        let names = Set(headers.map(Self.name))
        let lines = own.filter { !names.contains(Self.name($0)) } + headers + ["Connection: close"]
        let head = (["\(method) \(url.target) HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n"
        guard !body.isEmpty else { return head }
        return head + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self)
    }

    private static func name(_ line: String) -> String { line.prefix { $0 != ":" && $0 != ";" }.lowercased() }
}
