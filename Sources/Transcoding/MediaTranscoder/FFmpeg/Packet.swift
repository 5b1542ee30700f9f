import CFFmpeg
import TranscodeProtocol

/// The owner of an AVPacket, which holds coded data of one stream.
@safe
struct Packet: ~Copyable {
    let pointer: UnsafeMutablePointer<AVPacket>

    deinit {
        var freeing: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&freeing)
    }

    static func make() throws(TranscodeFailure) -> Packet {
        guard let made = unsafe av_packet_alloc() else { throw .noMemory("packet") }
        return unsafe Packet(pointer: made)
    }

    /// Returns a key packet of the mapped bytes, without a copy. The packet must not outlive the mapping.
    static func of(_ input: borrowing MappedInput) throws(TranscodeFailure) -> Packet {
        let packet = try make()
        let size = input.count
        let buffer = unsafe av_buffer_create(
            input.base, size + Int(AV_INPUT_BUFFER_PADDING_SIZE), leaveMapped, nil, AV_BUFFER_FLAG_READONLY)
        guard let buffer = unsafe buffer else { throw .noMemory("packet") }
        unsafe packet.pointer.pointee.buf = buffer
        unsafe packet.pointer.pointee.data = input.base
        unsafe packet.pointer.pointee.size = Int32(size)
        unsafe packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
        return packet
    }

    /// Returns a key packet with copies of some ranges of the mapped bytes, in their order, and `ending` after them.
    static func of(
        _ input: borrowing MappedInput, ranges: [Range<Int>], closedBy ending: [UInt8] = []
    ) throws(TranscodeFailure) -> Packet {
        let packet = try allocate(ranges.reduce(ending.count) { $0 + $1.count })
        var end = unsafe packet.pointer.pointee.data
        for range in ranges where range.lowerBound >= 0 && range.upperBound <= input.count {
            unsafe end?.update(from: input.base + range.lowerBound, count: range.count)
            unsafe end = end.map { unsafe $0 + range.count }
        }
        unsafe end?.update(from: ending, count: ending.count)
        return packet
    }

    /// Returns a key packet with a copy of these bytes.
    static func of(_ bytes: [UInt8]) throws(TranscodeFailure) -> Packet {
        let packet = try allocate(bytes.count)
        unsafe packet.pointer.pointee.data?.update(from: bytes, count: bytes.count)
        return packet
    }

    /// Returns a key packet with uninitialized bytes.
    private static func allocate(_ size: Int) throws(TranscodeFailure) -> Packet {
        let packet = try make()
        guard size <= MappedInput.maxBytes else { throw .tooLarge("the parts of the image") }
        try FFmpegStatus.check(unsafe av_new_packet(packet.pointer, Int32(size)), "packet")
        unsafe packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
        return packet
    }

    /// Replaces the packet's data with a copy of these bytes, and keeps its times and flags.
    func replace(with bytes: [UInt8]) throws(TranscodeFailure) {
        let other = try Packet.of(bytes)
        try FFmpegStatus.check(unsafe av_packet_copy_props(other.pointer, pointer), "packet")
        clear()
        unsafe av_packet_move_ref(pointer, other.pointer)
    }

    var streamIndex: Int32 { unsafe pointer.pointee.stream_index }
    /// Whether the container's edit list hides the frame or the samples. Other frames may be decoded from them.
    var isHidden: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the demuxer found the packet cut or damaged.
    var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether the packet's data is encrypted (ISO/IEC 23001-7).
    var isEncrypted: Bool { unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil }
    var byteCount: Int { Int(unsafe pointer.pointee.size) }
    /// The decoding time in the time base of the stream; `agd_no_pts` if it is unknown.
    var decodingTime: Int64 { unsafe pointer.pointee.dts }
    /// The duration in the time base of the stream; 0 if it is unknown.
    var duration: Int64 { unsafe pointer.pointee.duration }

    /// Releases the data and keeps the packet for reuse.
    func clear() { unsafe av_packet_unref(pointer) }

    /// Lends the packet's data, which may be empty.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let data = unsafe pointer.pointee.data, byteCount > 0 else { return try body(Span()) }
        return try body(unsafe Span(_unsafeStart: data, count: byteCount))
    }
}

extension Packet {
    /// Adds a time to the time stamps that are known, in the time base of the stream.
    func delay(by time: Int64) {
        func delayed(_ stamp: Int64) -> Int64 {
            stamp == agd_no_pts ? stamp : stamp.addingReportingOverflow(time).partialValue
        }
        unsafe pointer.pointee.pts = delayed(pointer.pointee.pts)
        unsafe pointer.pointee.dts = delayed(pointer.pointee.dts)
    }

    /// Makes the decoder return a frame or samples that the container's edit list hides.
    func show() { unsafe pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
}
