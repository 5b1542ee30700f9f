import Base
import CCurl
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import LinuxIO
import NotificationModel

/// The part of a transfer that receives the response: its headers, and its body with decoding and lenient parsing.
extension Transfer {
    func receivedHeader(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        connection?.delivered(line.count)
        if tunnelAnswer != nil, !isConnected { return unsafe receivedFromProxy(line) }
        // With the lenient parser, libcurl reports only the lines of the request that it sends.
        if lenient != nil { return .proceed }
        let verdict = unsafe takeHeadLine(line)
        leaveConnection(on: verdict)
        return verdict
    }

    /// Takes a line of the proxy's response to CONNECT, before the connection carries a request.
    private func receivedFromProxy(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let failure = unsafe tunnelAnswer?.received(line)
        if tunnelAnswer?.isOpen == true { tunnelTime = start.duration(to: .now) }
        guard let failure else { return .proceed }
        state.refuse(failure)
        return .abort
    }

    private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        switch unsafe state.receivedHead(line) {
        case .abort: .abort
        case .field, .status, .trailer: .proceed
        case .end: receivedHead()
        }
    }

    /// Leaves the connection after an abort, because libcurl continues to read for its other transfers before it
    /// reports the end of this transfer.
    private func leaveConnection(on verdict: TransferState.Verdict) {
        guard verdict == .abort else { return }
        isFlooded = connection?.isFlooded ?? isFlooded
        connection = nil
    }

    private func receivedHead() -> TransferState.Verdict {
        var head = ResponseHead(
            status: lenient?.status ?? easy.number(CURLINFO_RESPONSE_CODE),
            lines: FieldLines(state.headLines, lineEnds: state.headLineEnds))
        let length = lenient.map { $0.declaredBytes ?? -1 } ?? easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        let now = movedNow()
        let info = ResponseInfo(head, declaredBytes: length >= 0 ? length : nil)
        let verdict = state.received(info, at: now)
        guard state.isAnswered else { return verdict }
        if case .media = request.bodyMode {
            decoder = info.decoding.map(BodyDecoder.init)
            // The response has all requested bytes, so the cache treats it like a 200.
            if info.isWholeRange { head.makeWhole() }
        }
        answeredAt = now
        request.listeners?.enter(.body, at: now)
        request.running?.answered(head.status, easy.protocolName, at: now)
        self.head = head
        timing.record?.answered(completeLength: expectedBytes, at: now) { name in
            HTTPField.Name(name).flatMap { head.value(of: $0) }
        }
        responseTime = .now
        if !head.isFailureOfHost { request.movement?(.answered) }
        // The whole body arrives again. The body goes into a new file, because another task may be reading the bytes of
        // an earlier attempt.
        if case .resume = request.bodyMode, state.isWanted, state.byteCount == 0 { file = nil }
        return verdict
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let verdict = isFlood(bytes.count) ? .abort : unsafe lenient == nil ? takeEncoded(bytes) : takeLeniently(bytes)
        leaveConnection(on: verdict)
        return verdict
    }

    private func takeLeniently(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let span = unsafe bytes.bindMemory(to: UInt8.self).span
        var place = 0
        while let part = lenient?.next(in: span, at: &place) {
            let verdict: TransferState.Verdict
            switch part {
            case .line(let line): verdict = unsafe line.withUnsafeBytes { unsafe takeHeadLine($0) }
            case .body(let body): verdict = unsafe takeEncoded(UnsafeRawBufferPointer(rebasing: bytes[body]))
            case .end:
                state.satisfy()
                verdict = .abort
            case .malformed:
                state.refuse(MediaFailure(.connectionLost, "the response of the origin is not HTTP"))
                verdict = .abort
            }
            if verdict == .abort { return .abort }
        }
        return .proceed
    }

    private func takeEncoded(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let missing = state.head?.identityBytes.map { max(0, $0 - encodedBytes) }
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(missing ?? bytes.count))
        encodedBytes += part.count
        let verdict = unsafe takeDecoded(part)
        guard verdict == .proceed, missing == part.count else { return verdict }
        state.satisfy()
        return .abort
    }

    private func takeDecoded(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        guard state.isWanted, let decoder else { return unsafe take(bytes) }
        do throws(MediaFailure) {
            let verdict = try unsafe decoder.decode(bytes) { unsafe take($0) }
            guard verdict == .proceed,
                decoder.noteDecodedLength(state.head?.declaredBytes, encodedBytes: encodedBytes)
            else { return verdict }
            // The origin will not send the bytes for which libcurl waits.
            state.satisfy()
            return .abort
        } catch {
            state.refuse(error)
            return .abort
        }
    }

    /// Returns whether the parts of the body are so small that they flood the connection.
    private func isFlood(_ count: Int) -> Bool {
        let total = max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))
        defer { wireBytes = total }
        guard connection?.handedOver(count, wireCount: total - wireBytes) == true else { return false }
        state.refuse(MeteredConnection.flood)
        return true
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let offset = state.byteCount
        let verdict = unsafe state.received(bytes, at: movedNow())
        guard verdict == .proceed, state.isWanted else { return verdict }
        do throws(MediaFailure) { try unsafe write(bytes, at: offset) } catch {
            state.refuse(error)
            return .abort
        }
        request.running?.received(wireBytes: max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T)), bodyBytes: state.byteCount)
        if let record = timing.record, let file { record.received(file, byteCount: state.byteCount, at: .now) }
        request.context.listeners.tell(
            FetchProgress.State(receivedBytes: state.byteCount, expectedBytes: expectedBytes))
        return .proceed
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MediaFailure) {
        let target: MediaFile
        if let file {
            target = file
        } else {
            target = try request.context.makeFile()
            let context = request.context
            checksum = context.isCached && offset == 0 ? try? Checksum() : nil
            context.listeners.begin(target, of: context.url, for: context.group, version)
        }
        file = target
        do throws(SystemError) { try unsafe FileSystem.write(bytes, to: target, at: offset) } catch {
            throw MediaFailure(.storageFailed, "the download cannot be written: \(error.reason)")
        }
        unsafe checksum?.update(bytes)
    }

    /// The version of the file at the origin. The version is `nil` if the body is decoded, because decoded bytes do not
    /// match the positions of a range.
    private var version: ArrivingMedia.Version? {
        guard let head, state.head?.contentEncodings.isEmpty == true else { return nil }
        return ArrivingMedia.Version(head, completeLength: expectedBytes, at: responseTime ?? .now)
    }

    var expectedBytes: Int? {
        guard let head = state.head, head.contentEncodings.isEmpty else { return nil }
        return head.completeLength ?? head.declaredBytes
    }

    private func movedNow() -> MonotonicInstant {
        if state.pace.resumed() { request.movement?(.resumed) }
        return .now
    }
}
