import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// The checks of a container's headers, before a demuxer reads them.
extension MappedInput {
    /// Checks the headers of a container.
    ///
    /// - Throws: `tooLarge` for tables of more frames than a worker can hold. `unsupported` for a compressed header and
    ///   for encrypted sound. `corrupt` for a sound that is shorter than its header states.
    func checkContainer(as format: MediaFormat) throws(TranscodeFailure) {
        do throws(MediaHeaderError) {
            try withBytes { bytes throws(MediaHeaderError) in
                switch format.container {
                case .mp4: try MP4Walk.check(bytes)
                case .asf: try ASFHeader.check(bytes)
                case .au: try AUHeader.check(bytes)
                case .caf: _ = try CAFHeader(bytes)
                default: break
                }
            }
        } catch {
            switch error {
            case .excessive: throw .tooLarge(error.detail)
            case .unsupported: throw .unsupported(error.detail)
            case .wrongFormat, .truncated, .malformed: throw .corrupt(error.detail)
            }
        }
    }

    /// Returns whether the file ends within a packet, in formats whose demuxer does not report it.
    func endsEarly(as format: MediaFormat) -> Bool {
        withBytes { bytes in
            switch format.container {
            case .matroska: VideoEnd.isMissing(inMatroska: bytes)
            case .mpegTS: VideoEnd.isMissing(inTransportStream: bytes)
            default: false
            }
        }
    }

    /// Returns whether the header does not state the end of the sound. The last packet of such a sound may be short.
    func hasOpenEnd(as format: MediaFormat) -> Bool {
        withBytes { bytes in
            switch format {
            case .wav: WAVLength.isUnknown(in: bytes)
            case .caf: (try? CAFHeader(bytes))?.isLengthUnknown == true
            default: false
            }
        }
    }
}
