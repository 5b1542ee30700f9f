package import Base
package import FoundationEssentials
package import LinuxIO
package import NotificationModel

/// A transcoder that creates the type which the extension of the URL names, as large as the profile permits. Without an
/// extension it creates a JPEG.
package struct SampleTranscoder: MediaTranscoding {
    /// The type of each rendition. If `nil`, each rendition has the type that its URL names.
    private let made: MediaFormat?

    package init(made: MediaFormat? = nil) { self.made = made }

    package func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        // The fake fetcher passes the URL as the declared type.
        let name = (request.source.declaredType ?? "").split(separator: ".").last ?? ""
        let (source, type): (String, MediaFormat) =
            switch name {
            case "mp4": ("video/mp4", .mp4)
            case "mov": ("video/quicktime", .mp4)
            case "gif": ("image/gif", .gif)
            case "png": ("image/png", .png)
            case "webp": ("image/webp", .jpeg)
            case "heic": ("image/heic", .jpeg)
            default: ("image/jpeg", .jpeg)
            }
        do throws(MediaFailure) {
            var renditions: [Rendition] = []
            for info in Self.infos(made ?? type, for: request.form)
            where info.kind != .thumbnail || !request.options.thumbnailHidden {
                renditions.append(Rendition(info: info, file: try request.makeFile(.image)))
            }
            return .success(RenditionSet(sourceType: source, renditions: renditions))
        } catch {
            return .failure(error)
        }
    }

    private static let preview = ImagePreview(
        blurhash: "LxKTh:QOaitcQ,}PoJI]aeoJjta#", dominantColor: "#7a8f3c")

    private static func infos(_ type: MediaFormat, for form: MediaForm) -> [RenditionInfo] {
        let side = type == .mp4 ? form.videoSide : form.imageSide
        let seconds: Int? =
            switch type {
            case .gif, .webp, .avif: 1
            default: type.kind == .image ? nil : 8
            }
        let shown = RenditionInfo(
            kind: .attachment, type: type, byteCount: 48_213, width: side, height: side / 2,
            frames: (seconds ?? 0) * 25 + (seconds == nil ? 1 : 0), duration: seconds.map { .seconds($0) },
            preview: type == .mp4 ? nil : preview)
        let thumbnail = form.thumbnailSide.map {
            RenditionInfo(kind: .thumbnail, type: .jpeg, byteCount: 9_100, width: $0, height: $0 / 2)
        }
        let poster = RenditionInfo(
            kind: .poster, type: .jpeg, byteCount: 31_007, width: side, height: side / 2, preview: preview)
        return [shown, thumbnail, type == .mp4 ? poster : nil].compactMap(\.self)
    }
}

/// A store that gives files the names of a container, with digests that are the same in each run.
package final class SampleStore: MediaStoring {
    private let isFull: Bool
    private let count = Guarded(UInt64(0))

    package init(isFull: Bool) { self.isFull = isFull }

    package func scratchFile(for use: ScratchUse, in group: AppGroupName) throws(MediaFailure) -> MediaFile {
        MediaFile(descriptor: -1, isLinkable: false) { _ in }
    }

    package func store(
        _ made: RenditionSet, of source: FetchedMedia, by recipe: RenditionRecipe, in group: AppGroupName,
        until date: Date
    ) async throws(MediaFailure) -> StoredRenditions {
        if isFull { throw MediaFailure(.storageFailed, "the disk is full") }
        let assets = made.renditions.map { rendition in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let digest = Self.digest(number)
            return StoredAsset(
                info: rendition.info, sha256: digest,
                path: "media/\(digest.prefix(2))/\(digest).\(rendition.info.type.fileExtension)")
        }
        return StoredRenditions(made, as: assets, of: source)
    }

    package func find(_ keys: [StoredMediaKey], in group: AppGroupName, until date: Date) async -> StoredRenditions? {
        nil
    }

    package func freeSpaceForDownload() async -> Bool { false }

    package func pin(_ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date) async {}

    package func lease(_ assets: [StoredAsset], in group: AppGroupName, until date: Date) async -> Bool { true }

    package func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure) {}

    private static func digest(_ number: UInt64) -> String {
        var generator = SeededGenerator(seed: number)
        return (0..<4).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
