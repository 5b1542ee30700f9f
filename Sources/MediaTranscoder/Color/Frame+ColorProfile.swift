import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Returns the transform from the image's profile to sRGB, or `nil` if the image has no profile of that kind.
    func transform(of kind: ColorTransform.Kind) -> ColorTransform? {
        guard let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE),
            let start = unsafe data.pointee.data
        else { return nil }
        return ColorTransform.make(from: unsafe Span(_unsafeStart: start, count: data.pointee.size), kind: kind)
    }

    func dropColorProfile() {
        unsafe av_frame_remove_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE)
    }

    /// Attaches the ICC profile that is stored in these ranges of the source.
    func attachColorProfile(of source: borrowing MappedInput, at ranges: [Range<Int>]) throws(TranscodeFailure) {
        let size = ranges.reduce(0) { $0 + $1.count }
        guard size > 0 else { return }
        guard let profile = unsafe av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, size) else {
            throw FFmpegStatus.noMemory("colour profile")
        }
        var end = unsafe profile.pointee.data
        for range in ranges where range.lowerBound >= 0 && range.upperBound <= source.count {
            unsafe end?.update(from: source.base + range.lowerBound, count: range.count)
            unsafe end = end.map { unsafe $0 + range.count }
        }
    }

    /// Attaches an ICC profile, unless `bytes` is empty.
    func attachColorProfile(_ bytes: [UInt8]) throws(TranscodeFailure) {
        guard !bytes.isEmpty else { return }
        guard let profile = unsafe av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, bytes.count) else {
            throw FFmpegStatus.noMemory("colour profile")
        }
        unsafe profile.pointee.data.update(from: bytes, count: bytes.count)
    }

    var hasColorProfile: Bool { unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) != nil }

    /// Copies the reference to another frame's ICC profile, if that frame has a profile. Pixels without their profile
    /// would change color.
    func copyColorProfile(from source: borrowing Frame) throws(TranscodeFailure) {
        guard let profile = unsafe av_frame_get_side_data(source.pointer, AV_FRAME_DATA_ICC_PROFILE),
            let buffer = unsafe av_buffer_ref(profile.pointee.buf)
        else { return }
        var owned: UnsafeMutablePointer<AVBufferRef>? = unsafe buffer
        guard unsafe av_frame_new_side_data_from_buf(pointer, AV_FRAME_DATA_ICC_PROFILE, buffer) != nil else {
            unsafe av_buffer_unref(&owned)
            throw FFmpegStatus.noMemory("colour profile")
        }
    }
}
