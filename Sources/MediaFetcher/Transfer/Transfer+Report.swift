import Base
import CCurl
import LinuxIO
import NotificationModel

/// The end of a transfer, and the checks whether it is stalled.
extension Transfer {
    /// The number of response bytes that the origin may still send; `nil` if it is unknown.
    var missingBytes: Int? {
        if isComplete { return 0 }
        let declared = state.head?.declaredBytes
        return declared.map { max(0, $0 - max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))) }
    }

    /// Returns the report of a transfer that libcurl has finished.
    func report(_ code: CURLcode) -> TransferReport {
        (hasBegun, isDone, isComplete) = (true, true, code == CURLE_OK)
        if code != CURLE_OK, connection?.isFlooded == true { state.refuse(MeteredConnection.flood) }
        // libcurl has no other code for a header line of more than 100 KiB (CURL_MAX_HTTP_HEADER).
        if code == CURLE_OUT_OF_MEMORY, !state.isAnswered, state.headByteCount > 0 { state.refuse(.longHeader) }
        if state.failure == nil, !state.isSatisfied, code != CURLE_OK { state.refuse(failure(code)) }
        if state.failure == nil, state.isWanted, code == CURLE_OK, decoder?.isWhole == false, encodedBytes > 0,
            decoder?.noteMissingTrailer() == false
        {
            state.refuse(MediaFailure(.truncated, "the encoded body of the response ends too early"))
        }
        if state.failure == nil, state.isAnswered, code == CURLE_OK, lenient?.isWhole == false {
            state.refuse(MediaFailure(.truncated, "the body of the response ends too early"))
        }
        if state.failure == nil, state.hasOtherLength {
            hasWrongRange = state.hasWrongRange
            state.refuse(MediaFailure(.truncated, "the origin sent another length than that of the requested rest"))
        }
        // If the tunnel is not open, the response came from the proxy.
        isUnreadable =
            (request.tunnel == nil || isConnected) && !state.isAnswered
            && [CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL].contains(code)
        // If the connection closes early, libcurl may report a success without a response.
        if state.failure == nil, !state.isAnswered {
            state.refuse(MediaFailure(.connectionLost, "there was no response"))
        }
        return report(state.failure)
    }

    private func failure(_ code: CURLcode) -> MediaFailure {
        if var answer = tunnelAnswer, !isConnected, !answer.isOpen {
            defer { tunnelAnswer = answer }
            return easy.proxyFailure(code, after: &answer)
        }
        var failure = MediaFailure(code, phase: state.pace.phase, isInHandshake: isInHandshake)
        if code == CURLE_PEER_FAILED_VERIFICATION, let words = easy.certificateProblem() { failure.detail = words }
        return failure
    }

    /// Returns the reason why the proxy opened no tunnel; `nil` if the transfer failed for another reason.
    private func proxyFailure(_ failure: MediaFailure?) -> ProxyFailure? {
        guard !isConnected, let reason = failure?.reason, [.connectFailed, .tlsFailed].contains(reason) else {
            return nil
        }
        return tunnelAnswer?.proxyFailure(isConnected: easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false)
    }

    /// Whether the connection is open and its TLS handshake has not finished. libcurl 7.88 reports the times of both
    /// only after the handshake.
    private var isInHandshake: Bool {
        if let tunnelAnswer { return request.url.isSecure && !isConnected && tunnelAnswer.isOpen }
        return request.url.isSecure && easy.offset(CURLINFO_APPCONNECT_TIME_T) <= 0
            && easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false
    }

    /// Returns the report of a transfer that was ended by libcurl or by the daemon.
    func report(_ failure: MediaFailure?) -> TransferReport {
        if hasBegun, !isConnected {
            timing.noteConnection(easy, tunnel: tunnelTime)
            // Until the next connection is made, libcurl reports the values of the previous connection.
            timing.isReused = false
        }
        if hasBegun { timing.noteAnswer(easy) }
        let end = MonotonicInstant.now
        timing.wait = requestedAt.map { $0.duration(to: answeredAt ?? end) }
        timing.body = answeredAt.map { $0.duration(to: end) }
        timing.failure = failure?.reason
        timing.isHedged = run.isHedged
        timing.bodyBytes = state.byteCount
        let report = TransferReport(failure, timing)
        report.isOverKeptConnection = isSentAgain || timing.isReused
        report.isFlooded = connection?.isFlooded ?? isFlooded
        report.isUnreadable = isUnreadable
        report.proxyFailure = proxyFailure(failure)
        report.head = head
        if let requestTime { report.requestTime = requestTime }
        if let responseTime { report.responseTime = responseTime }
        report.isWanted = state.isWanted
        report.file = file
        report.checksum = checksum?.value
        report.byteCount = state.byteCount
        report.mediaKind = state.mediaKind
        report.isResumable = state.isWanted && state.head?.contentEncodings.isEmpty ?? false
        report.completeLength = expectedBytes
        report.hasWrongRange = hasWrongRange
        report.codingFault = failure == nil ? decoder?.fault?.failure : nil
        return report
    }

    /// The maximum time for the body of an answer, after its headers.
    private static let answerTime: Duration = .seconds(1)

    /// Returns whether the time for the body of an answer has passed, so that its connection is closed.
    func isPastAnswerTime(at now: MonotonicInstant) -> Bool {
        guard case .answer = request.bodyMode, let answeredAt else { return false }
        return now >= answeredAt.advanced(by: Self.answerTime)
    }

    /// Returns the failure of a transfer that has exceeded a limit, and reports a newly stalled one to `movement`.
    func overdue(at now: MonotonicInstant) -> MediaFailure? {
        if state.pace.markStalled(at: now) { request.movement?(.stalled) }
        guard state.pace.isOverdue(at: now) else { return nil }
        return MediaFailure(.budgetExceeded, "the origin sent nothing for too long \(state.pace.phase.words)")
    }
}

extension StallDetector.Phase {
    fileprivate var words: String {
        switch self {
        case .connecting: "while connecting"
        case .waiting: "while waiting for the first byte of the response"
        case .receiving: "while sending the body"
        }
    }
}
