import CCurl
import Glibc
import LinuxIO
import NotificationModel

/// One hop of one fetch: what to request, and where the body goes.
struct TransferRequest: Sendable {
    /// Judged already.
    var url: String
    /// `Name: value`, besides our own.
    var headers: [String] = []
    /// PEM; `nil`: the system's.
    var caFile: String?
    var file: MediaFile
    var deadline: ContinuousClock.Instant
    var trace: StageTrace
    var rule: AddressRule
    var limits: FetchLimits
}

enum TransferEnd: Sendable {
    case complete(byteCount: Int, declaredType: String?)
    /// The target as the origin writes it, and the URL that it may be relative to.
    case redirect(to: String, from: String)
    case failed(MediaFailure)
}

/// A transfer in progress. Lives on the engine's thread; libcurl's callbacks reach it there.
final class Transfer {
    let easy: CurlEasy
    let deadline: ContinuousClock.Instant
    private let file: MediaFile
    private let trace: StageTrace
    private let rule: AddressRule
    private let headers: CurlList
    private(set) var state: TransferState
    private var writeOffset = 0

    init(_ request: TransferRequest, userAgent: String) throws(MediaFailure) {
        guard let easy = CurlEasy() else { throw MediaFailure(.internal, "out of memory for a transfer") }
        self.easy = easy
        deadline = request.deadline
        file = request.file
        trace = request.trace
        rule = request.rule
        headers = CurlList(request.headers)
        state = TransferState(limits: request.limits, startedAt: .now)
        trace.enter(.queue)
        do { try configure(request, userAgent: userAgent) } catch {
            throw MediaFailure(.internal, "libcurl refuses an option: \(error.code.words)")
        }
    }

    private func configure(_ request: TransferRequest, userAgent: String) throws(CurlFault) {
        try easy.set(CURLOPT_URL, request.url)
        try easy.set(CURLOPT_USERAGENT, userAgent)
        if let caFile = request.caFile { try easy.set(CURLOPT_CAINFO, caFile) }
        if !request.headers.isEmpty { try easy.set(CURLOPT_HTTPHEADER, headers) }
        // Nothing but plain fetching: no other schemes, no proxy of the environment, no signals, no old protocol.
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_PROXY, "")
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_HTTP09_ALLOWED, 0)
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        // Every encoding that this libcurl decodes: some origins compress without being asked.
        try easy.set(CURLOPT_ACCEPT_ENCODING, "")
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.limits.connect.milliseconds)))
        // Without it, removing a transfer waits for its name to resolve, and every other transfer with it.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let handle = unsafe easy.handle
        try CurlFault.check(unsafe agd_easy_set_write(handle, receiveBody, context))
        try CurlFault.check(unsafe agd_easy_set_header(handle, receiveHeader, context))
        try CurlFault.check(unsafe agd_easy_set_open_socket(handle, openSocket, context))
        try CurlFault.check(unsafe agd_easy_set_prerequest(handle, beforeRequest, context))
        try CurlFault.check(unsafe agd_easy_set_resolver_start(handle, resolverStarts, context))
    }

    // MARK: Events, from the callbacks

    /// The transfer has got its place among the connections, and the host's name is being resolved.
    func resolving() { trace.enter(.dns) }

    /// The system has no socket for it.
    func hasNoSocket(_ error: SystemError) {
        state.refuse(MediaFailure(.overloaded, "no socket can be opened: \(error.reason)"))
    }

    /// Whether a connection to the address may be opened.
    func mayConnect(to address: IPAddress?, port: UInt16) -> Bool {
        if state.phase == .resolving { trace.enter(.connect) }
        state.connecting(at: .now)
        return judge(address, port: port)
    }

    /// Whether the request may be sent over the connection, which may be an older one.
    func mayRequest(to address: IPAddress?, port: UInt16) -> Bool {
        let now = ContinuousClock.now
        let connected = easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        if state.phase == .connecting, connected > 0, secured > connected {
            trace.enter(.tls, at: now.advanced(by: .microseconds(connected - secured)))
        }
        trace.enter(.wait, at: now)
        state.requesting(at: now)
        return judge(address, port: port)
    }

    private func judge(_ address: IPAddress?, port: UInt16) -> Bool {
        let judgement = address.map { rule.judge($0, port: port) } ?? .refused("the address is of an unknown family")
        guard case .refused(let why) = judgement else { return true }
        state.refuse(
            MediaFailure(.forbiddenAddress, "\(why); --allow-address lifts the rule for a range of your own"))
        return false
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        if unsafe line.starts(with: Array("HTTP/".utf8)) { trace.enter(.body) }
        guard unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return .proceed }
        return state.received(easy.answerHead, at: .now)
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let verdict = unsafe state.received(bytes, at: .now)
        guard verdict == .proceed, state.isWanted else { return verdict }
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let written = unsafe pwrite(
                file.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(writeOffset))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                state.refuse(
                    MediaFailure(
                        .storageFailed, "the download cannot be written: \(SystemError.last("pwrite").reason)"))
                return .abort
            }
            writeOffset += written
            unsafe rest = rest.dropFirst(written)
        }
        return .proceed
    }

    // MARK: The end

    /// What came of it, when libcurl is done with it.
    func end(_ code: CURLcode) -> TransferEnd {
        if let failure = state.failure { return .failed(failure) }
        if state.isRedirect {
            guard let target = state.redirectTarget else {
                return .failed(MediaFailure(.redirectRefused, "the origin redirects without saying where to"))
            }
            return .redirect(to: target, from: easy.text(CURLINFO_EFFECTIVE_URL) ?? "")
        }
        guard code == CURLE_OK else { return .failed(MediaFailure(code, phase: state.phase)) }
        let type = easy.text(CURLINFO_CONTENT_TYPE)?.split(separator: ";").first.map { $0.lowercased() }
        return .complete(byteCount: state.byteCount, declaredType: type)
    }

    /// When to look next whether it has stopped moving.
    var nextCheck: ContinuousClock.Instant { min(deadline, max(state.phaseEnd, .now.advanced(by: .milliseconds(10)))) }

    /// Why it has taken too long, if it has.
    func overdue(at now: ContinuousClock.Instant) -> MediaFailure? {
        if now >= deadline { return MediaFailure(.budgetExceeded, "the budget ended \(state.phase.words)") }
        guard state.isOverdue(at: now) else { return nil }
        return MediaFailure(
            .budgetExceeded, "the origin stood still \(state.phase.words), past its share of the budget")
    }
}

extension TransferState.Phase {
    fileprivate var words: String {
        switch self {
        case .resolving: "while the host's name was resolved"
        case .connecting: "while connecting"
        case .waiting: "while waiting for the answer's first byte"
        case .receiving: "while the body was arriving"
        }
    }
}
