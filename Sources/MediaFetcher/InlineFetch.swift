import Base
import Digests
import FoundationEssentials
import LinuxIO
import MediaHeaders
import NotificationModel

/// A fetch of a `data:` URL, which writes the bytes to a file on the calling thread, within the limits of a download.
struct InlineFetch {
    let request: FetchRequest
    let limits: FetchLimits

    func result() -> Result<FetchedMedia, MediaFailure> { Result { () throws(MediaFailure) in try media() } }

    private func media() throws(MediaFailure) -> FetchedMedia {
        guard let inline = InlineMedia(request.url) else {
            throw MediaFailure(.invalidURL, "the data: URL has no comma before its bytes")
        }
        request.trace.enter(.body)
        let bytes = try inline.bytes()
        let cap = limits.cap(of: MediaSignature.of(Array(bytes.prefix(MediaSignature.wantedBytes)).span)?.sampledKind)
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
    /// Returns the failure of a file whose payload announces more bytes than its kind may have; `nil` otherwise.
    func refusal(of declared: (byteCount: Int?, kind: MediaKind?)) -> MediaFailure? {
        let cap = cap(of: declared.kind)
        guard let byteCount = declared.byteCount, byteCount > cap else { return nil }
        return MediaFailure(.tooLarge, "the payload announces \(byteCount) bytes; at most \(cap) are accepted")
    }
}
