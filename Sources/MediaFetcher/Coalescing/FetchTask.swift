import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel

/// A fetch of one URL from the cache or its origin, which follows redirects up to the limit of the policy.
///
/// Each redirect target is validated again, and has its own look-up in the cache.
final class FetchTask: Sendable {
    let url: String
    /// The requested part of the file; `nil` if the whole file is requested.
    let tail: Tail?
    let context: FetchContext
    let client: LoopConfined<OriginClient>
    /// The HTTP cache; `nil` if no responses are stored.
    let cache: CachingExchange?

    /// A part of a file that ends with its last byte.
    struct Tail: Sendable {
        var firstByte: Int
        /// The version of the file to which the part belongs.
        var version: ArrivingMedia.Version
    }

    /// Creates a fetch, and does not start it.
    ///
    /// - Parameter tail: the requested part; `nil` if the whole file is requested. A part is not looked up in a cache.
    init(
        url: String, only tail: Tail? = nil, context: FetchContext, client: LoopConfined<OriginClient>,
        cache: CachingExchange?
    ) {
        self.url = url
        self.tail = tail
        self.context = context
        self.client = client
        self.cache = cache
    }

    /// The result of a fetch.
    ///
    /// The type is a class, because the frame of a task reserves space for each large value that it uses.
    final class FetchOutcome {
        var result: Result<FetchedMedia, MediaFailure> = .failure(.cancelled)
        /// The status of the last response; `nil` if no response arrived.
        var status: Int?
        /// The validations of all stale responses that were used. The validations start after the waiters have received
        /// the result.
        var revalidations: [Revalidation] = []
        /// The number of redirects that were followed.
        fileprivate var redirects = 0
        fileprivate var cookies = RedirectCookies()
        /// The URL of each request, in order.
        fileprivate var urls: [String] = []

        /// Runs a step of the fetch. An error becomes the result of the fetch.
        ///
        /// - Returns: the next URL to request; `nil` if the fetch has ended.
        fileprivate func capture(_ next: () throws(MediaFailure) -> ValidatedURL?) -> ValidatedURL? {
            do throws(MediaFailure) { return try next() } catch {
                result = .failure(error)
                return nil
            }
        }
    }

    func run() async -> FetchOutcome {
        let fetchOutcome = FetchOutcome()
        var target = firstTarget(fetchOutcome)
        // The hop without a cache is a separate function, so that its frame reserves no space for the values of the
        // cached hop.
        while let url = target {
            fetchOutcome.urls.append(url.text)
            target = cache == nil ? await hop(to: url, fetchOutcome) : await cachedHop(to: url, fetchOutcome)
        }
        return fetchOutcome
    }

    private func firstTarget(_ fetchOutcome: FetchOutcome) -> ValidatedURL? {
        fetchOutcome.capture { () throws(MediaFailure) in try context.rules.policy.validate(url) }
    }

    private func hop(to target: ValidatedURL, _ fetchOutcome: FetchOutcome) async -> ValidatedURL? {
        if let refusal = refusal() { return land(OriginOutcome(failure: refusal), from: target, fetchOutcome) }
        return land(
            await client.value.send(fetch(from: target, fetchOutcome), to: target, for: context), from: target,
            fetchOutcome)
    }

    private func request(to target: ValidatedURL, _ fetchOutcome: FetchOutcome) -> OriginRequest {
        var request = OriginRequest(.get, target.text)
        if let cookies = fetchOutcome.cookies.field(for: target) { request.fields[.cookie] = cookies }
        return request
    }

    private func fetch(from target: ValidatedURL, _ fetchOutcome: FetchOutcome) -> OriginFetch {
        guard let tail else { return OriginFetch(request(to: target, fetchOutcome)) }
        return OriginFetch(tail: target, from: tail.firstByte, of: tail.version)
    }

    /// Returns the reason why no download may start; `nil` if a download may start.
    private func refusal() -> MediaFailure? {
        do throws(MediaFailure) {
            try context.willDownload()
            return nil
        } catch {
            return error
        }
    }

    private func land(_ outcome: OriginOutcome, from target: ValidatedURL, _ fetchOutcome: FetchOutcome)
        -> ValidatedURL?
    {
        fetchOutcome.capture { () throws(MediaFailure) in
            if let failure = outcome.failure { throw failure }
            let response = try outcome.result.get()
            return try land(
                CachedResponse(head: response.head, body: response.body, status: .miss), from: target, fetchOutcome)
        }
    }

    private func land(
        _ response: CachedResponse, from target: ValidatedURL, _ fetchOutcome: FetchOutcome
    ) throws(MediaFailure) -> ValidatedURL? {
        fetchOutcome.status = response.head.status
        if let revalidation = response.revalidation { fetchOutcome.revalidations.append(revalidation) }
        guard response.head.isRedirect else {
            fetchOutcome.result = .success(try media(in: response, from: fetchOutcome.urls))
            return nil
        }
        guard let reference = response.head.value(of: .location) else {
            throw MediaFailure(.redirectRefused, "the redirect of the origin has no target")
        }
        let next = try context.rules.policy.validate(reference, redirectedFrom: target)
        let most = context.rules.policy.limits.redirects
        guard fetchOutcome.redirects < most else { throw MediaFailure(.redirectRefused, "more than \(most) redirects") }
        fetchOutcome.redirects += 1
        fetchOutcome.cookies.note(response.head.fields[values: .setCookie], from: target)
        return next
    }

    private func cachedHop(to target: ValidatedURL, _ fetchOutcome: FetchOutcome) async -> ValidatedURL? {
        guard let cache else { return await hop(to: target, fetchOutcome) }
        let request = request(to: target, fetchOutcome)
        var failure: MediaFailure?
        let answer = await cache.exchange(request, key: context.rules.policy.cacheKey(of: target)) { request in
            let outcome = await ask(request, cache, target)
            failure = outcome.failure
            return outcome.result
        }
        return land(answer, failure, from: target, fetchOutcome)
    }

    /// Takes the result of an exchange with the cache.
    ///
    /// - Parameter failure: the failure of the origin; `nil` if it was not asked or did not fail.
    private func land(
        _ answer: Result<CachedResponse, MediaFailure>, _ failure: MediaFailure?, from target: ValidatedURL,
        _ fetchOutcome: FetchOutcome
    ) -> ValidatedURL? {
        fetchOutcome.capture { () throws(MediaFailure) in
            let answer = try answer.get()
            // An incomplete body that is stored for the next fetch is not a usable media item. A stale response
            // replaces the failure.
            if let failure, answer.status == .miss || !answer.isComplete { throw failure }
            guard answer.isComplete else {
                throw MediaFailure(.truncated, "the origin sent less than the requested rest")
            }
            return try land(answer, from: target, fetchOutcome)
        }
    }

    /// Sends a request to the origin. If a stale response could replace the response of the origin, the request has
    /// only half of the remaining time. The other half remains for the processing of the stale response.
    private func ask(_ request: OriginRequest, _ cache: CachingExchange, _ target: ValidatedURL) async -> OriginOutcome
    {
        let isAboutStored = request.fields.contains(.ifNoneMatch) || request.fields.contains(.ifModifiedSince)
        if !isAboutStored, let refusal = refusal() { return OriginOutcome(failure: refusal) }
        guard isAboutStored,
            await cache.hasStandIn(
                for: OriginRequest(.get, target.text), key: context.rules.policy.cacheKey(of: target))
        else { return await client.value.send(request, to: target, for: context) }
        return await client.value.send(request, to: target, for: context, within: context.remaining() / 2)
    }

    private func media(
        in response: CachedResponse, from urls: [String]
    ) throws(MediaFailure) -> FetchedMedia {
        let status = response.head.status
        // A response without content (204, 205) and an unexpected partial response are successes without the media
        // item.
        guard (200...299).contains(status), ![204, 205].contains(status), (status == 206) == (tail != nil) else {
            var failure = MediaFailure(.httpStatus, "the origin answered \(status)")
            failure.retryAfter = Self.pause(askedBy: response.head)
            throw failure
        }
        guard let file = response.body.file, !response.body.bytes.isEmpty else {
            throw MediaFailure(.corruptMedia, "the origin answered \(status) without a byte")
        }
        return FetchedMedia(
            file: file, byteCount: response.body.bytes.count,
            declaredType: response.head.value(of: .contentType).flatMap(Self.type), cache: response.status,
            identity: response.id ?? Identity.next(), isStored: response.id != nil,
            origin: MediaOrigin(urls: urls))
    }

    /// Returns the time for which an overloaded origin asks clients to wait: its `Retry-After`, or zero if it sent no
    /// such field. The result is `nil` if the status is neither 429 nor 503.
    private static func pause(askedBy head: ResponseHead) -> Duration? {
        guard [429, 503].contains(head.status) else { return nil }
        return head.value(of: .retryAfter).flatMap { OriginFetch.delay($0, at: Date()) } ?? .zero
    }

    /// Returns the media type of a `Content-Type` in lower case, without its parameters; `nil` if it is empty.
    private static func type(in value: String) -> String? {
        let bytes = value.utf8.span
        var end = 0
        var isPlain = true
        while end < bytes.count, bytes[end] != UInt8(ascii: ";") {
            if bytes[end] >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[end]) { isPlain = false }
            end += 1
        }
        guard end > 0 else { return nil }
        let type = end == bytes.count ? value : String(decoding: value.utf8.prefix(end), as: UTF8.self)
        return isPlain ? type : type.lowercased()
    }
}

extension ResponseHead {
    fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}
