import Digests
import FoundationEssentials
import LinuxIO
import MediaHeaders
import MediaTypes
import NotificationModel
import Primitives

/// A fetch of a `data:` URL. The fetch writes the bytes to a file on the calling thread, within the limits of a
/// download.
struct InlineFetch {
    private let request: FetchRequest
    private let limits: FetchLimits

    init(_ request: FetchRequest, _ limits: FetchLimits) {
        self.request = request
        self.limits = limits
    }

    func result() -> Result<FetchedMedia, MediaFailure> {
        do throws(MediaFailure) { return .success(try media()) } catch { return .failure(error) }
    }

    private func media() throws(MediaFailure) -> FetchedMedia {
        guard let inline = InlineMedia(request.url) else {
            throw MediaFailure(.invalidURL, "the data: URL has no comma before its bytes")
        }
        request.trace.enter(.body)
        let bytes = try inline.bytes()
        let mediaKind = MediaSignature.of(Array(bytes.prefix(MediaSignature.wantedBytes)).span)?.sampledKind
        let cap = limits.cap(of: mediaKind)
        guard bytes.count <= cap else {
            throw MediaFailure(
                .tooLarge, "the payload has \(bytes.count) bytes of the media item; at most \(cap) are accepted")
        }
        try request.willDownload()
        let file = try request.makeFile()
        let written = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try unsafe FileSystem.write(bytes, to: file, at: 0) }
        }
        if case .failure(let error) = written {
            throw MediaFailure(.storageFailed, "the bytes of the payload cannot be written: \(error.reason)")
        }
        return FetchedMedia(
            file: file, byteCount: bytes.count, declaredType: inline.declaredType,
            identity: "data:" + Hexadecimal.text(of: SHA256.hash(Array(bytes))))
    }
}

extension FetchLimits {
    /// Returns the failure of a file whose payload announces more bytes than are accepted for its kind; `nil` if the
    /// file may be requested.
    func refusal(of declared: (byteCount: Int?, kind: MediaKind?)) -> MediaFailure? {
        guard let byteCount = declared.byteCount else { return nil }
        let cap =
            switch declared.kind {
            case .image: self.cap(of: .image)
            case .sound: self.cap(of: .sound)
            case .video: self.cap(of: .video)
            case nil: largest
            }
        guard byteCount > cap else { return nil }
        return MediaFailure(.tooLarge, "the payload announces \(byteCount) bytes; at most \(cap) are accepted")
    }
}
