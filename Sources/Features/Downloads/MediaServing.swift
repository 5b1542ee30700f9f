import Authentication
import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

/// The downloads of renditions by phones: the check of their URLs, and the responses.
///
/// The first response with a file in memory prepares the head for further requests with the same target. For a second,
/// `HotDownloadHandler` answers these requests. After that, the URL and the file are checked again.
///
/// To add a new header field of all renditions, do this: write it in `headers`, and its name in
/// `accessControlExposeHeaders` if pages may read it. ``PreparedHeads`` then repeats it. A header field that pages may
/// send is named in `preflight`.
final class MediaServing: Sendable {
    /// The longest time for which caches keep a rendition whose URL never ends, in seconds: one year. The file itself
    /// never changes.
    private static let maxAge = 365 * 86_400
    /// The fields of all responses with a rendition. A browser does not take a file for a page, and gives a page in it
    /// no rights. All pages may read the file, because its URL is all that a reader needs.
    private static let headers: HTTPFields = [
        .acceptRanges: "bytes", .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; sandbox",
        .crossOriginResourcePolicy: "cross-origin", .accessControlAllowOrigin: "*",
        .accessControlExposeHeaders: "Accept-Ranges, Content-Range, ETag",
    ]
    /// The fields of the response to a preflight (Fetch, 3.3). Browsers send one before a request with conditions.
    static let preflight: HTTPFields = [
        .accessControlAllowOrigin: "*", .accessControlAllowMethods: "GET, HEAD",
        .accessControlAllowHeaders: "If-Match, If-None-Match, If-Range, Range", .accessControlMaxAge: "86400",
    ]

    private let files: MediaFiles
    private let clock: any RequestClock
    private let urls: Guarded<PerGroup<MediaURLs?>>
    /// The path of nginx's internal location with the root; `nil` if this program sends the bytes.
    private let accelRedirect: String?
    private let farewell: Duration
    private let prepared = Guarded(PreparedHeads())

    /// - Parameter urls: The public URLs; `nil` for groups whose renditions are not public.
    /// - Parameter accelRedirect: The path of nginx's internal location with the root; `nil` without such a location.
    /// - Parameter farewell: The time for the rest of a download when the daemon ends. Its client can resume it at the
    ///   next daemon.
    init(
        files: MediaFiles, clock: any RequestClock, urls: PerGroup<MediaURLs?>, accelRedirect: String? = nil,
        farewell: Duration = .seconds(5)
    ) {
        self.urls = Guarded(urls)
        (self.files, self.clock) = (files, clock)
        (self.accelRedirect, self.farewell) = (accelRedirect, farewell)
    }

    package func change(_ urls: PerGroup<MediaURLs?>) {
        self.urls.withLock { $0 = urls }
        prepared.withLock { $0.removeAll() }
    }

    /// Forgets the files in memory, so that a file that was removed is not sent any more.
    func forget() {
        prepared.withLock { $0.removeAll() }
        files.forget()
    }

    /// Checks that the URL of a download is valid.
    ///
    /// - Returns: The time in seconds for which caches may keep the response.
    private func age(
        of address: MediaAddress, _ query: (end: String?, signature: String?)
    ) throws(Problem) -> Int {
        guard let urls = urls.withLock({ $0[address.group] }) else {
            throw Problem(.notFound, "The daemon serves no renditions of this app group, because publicURL is not set.")
        }
        do throws(URLRefusal) {
            let rest = try urls.check(
                address.file, in: address.group, until: query.end, signature: query.signature, at: clock.date)
            return rest ?? Self.maxAge
        } catch {
            throw .refused(error, from: "publicURL")
        }
    }

    /// Answers a request with a rendition, or with the part of it that the request asks for.
    ///
    /// - Parameter query: The parameters `expires` and `signature`. A caller with the scope `media` needs none.
    func answer(
        to request: HTTPRequest, for address: MediaAddress, _ query: (end: String?, signature: String?),
        from caller: Caller
    ) async throws(Problem) -> Route.Answer {
        let (checked, generation) = (clock.now, prepared.withLock(\.generation))
        let isPermitted =
            caller.scopes.contains(.media) && caller.groups.contains(address.group)
            && urls.withLock { $0[address.group] != nil }
        let age = try isPermitted ? Self.maxAge : age(of: address, query)
        let isRead = request.method == .get && accelRedirect == nil
        guard let file = await files.file(at: address, isRead: isRead) else { throw .noMedia }
        var headers = Self.headers
        headers[.contentType] = address.type.mimeType
        // A cache that many callers share must not give the response to callers without the token.
        headers[.cacheControl] = "\(isPermitted ? "private" : "public"), max-age=\(age), immutable"
        if let accelRedirect {
            headers[.accelRedirect] = "\(accelRedirect)/\(address.path)"
            return .response(Response(status: .ok, headers: headers))
        }
        headers[.eTag] = address.entityTag
        let count = file.byteCount
        switch MediaSelection(of: request, entityTag: address.entityTag, byteCount: count) {
        case .whole:
            let answer = self.answer(.ok, headers, 0..<count, of: file)
            if case .shared(let response) = answer, let target = request.path, caller == .anonymous {
                let head = PreparedHeads.Head(response, of: address, checkedAt: checked, age: age)
                prepared.withLock { $0.insert(head, for: target, checkedIn: generation, at: checked) }
            }
            return answer
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
            return self.answer(.partialContent, headers, range, of: file)
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return .response(response)
        case .otherVersion:
            throw Problem(.otherVersion, "If-Match names another version. A rendition has one version, its ETag.")
        case .unsatisfiable:
            throw Problem(
                .noSuchRange, "The file has \(count) bytes.", headers: [.contentRange: "bytes */\(count)"])
        }
    }

    /// Returns the prepared response to a request for a whole file: the head without its end, and the body; `nil` if no
    /// response is prepared.
    func preparedResponse(to target: String, at now: MonotonicInstant) -> (head: ByteBuffer, body: ByteBuffer)? {
        guard let head = prepared.withLock({ $0.head(for: target, at: now) }),
            let body = files.hotBytes(of: head.address)
        else { return nil }
        return (head.bytes, body)
    }

    private func answer(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, _ range: Range<Int>, of file: MediaFiles.File
    ) -> Route.Answer {
        if let bytes = file.bytes,
            let part = bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count)
        {
            return .shared(Response(status: status, headers: headers, body: ResponseBody(byteBuffer: part)))
        }
        var response = Response(status: status, headers: headers)
        response.headers[.contentLength] = "\(range.count)"
        return .file(
            response, MediaPart(address: file.address, range: range, files: files, farewell: farewell))
    }
}

extension Problem {
    /// The problem of a rendition that does not exist, whether or not its name is a possible name.
    static var noMedia: Problem { Problem(.notFound, "There is no such rendition.") }
}
