import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel

/// One fetch of one URL, from the cache or from its origin, over as many redirects as are allowed.
///
/// Each hop is judged anew and looked up in the cache of its own.
final class FetchTask: Sendable {
    let url: String
    /// The part that is wanted; `nil`: the whole file is wanted.
    let tail: Tail?
    let errand: FetchContext
    let client: LoopConfined<OriginClient>
    /// `nil`: nothing is kept.
    let cache: CachingExchange?

    /// A part of a file that ends with the last byte.
    struct Tail: Sendable {
        var firstByte: Int
        /// The version of the file that the part is of.
        var version: ArrivingMedia.Version
    }

    /// - Parameter tail: a part that is wanted. A part is not looked up in a cache.
    init(
        url: String, only tail: Tail? = nil, errand: FetchContext, client: LoopConfined<OriginClient>,
        cache: CachingExchange?
    ) {
        self.url = url
        self.tail = tail
        self.errand = errand
        self.client = client
        self.cache = cache
    }

    /// What the flight brings home.
    ///
    /// An object: the frames of tasks keep room for each large value that comes by.
    final class FetchOutcome {
        var result: Result<FetchedMedia, MediaFailure> = .failure(.cancelled)
        /// Of the last answer.
        var status: Int?
        /// Of each hop that was stale; to be done when those who wait have been told.
        var revalidations: [Revalidation] = []
        /// That were followed.
        fileprivate var redirects = 0
        fileprivate var cookies = RedirectCookies()
        /// Each hop as it is requested.
        fileprivate var urls: [String] = []

        /// An error is the flight's end, and its result.
        ///
        /// - Returns: where to go on to.
        fileprivate func capture(_ next: () throws(MediaFailure) -> ValidatedURL?) -> ValidatedURL? {
            do throws(MediaFailure) { return try next() } catch {
                result = .failure(error)
                return nil
            }
        }
    }

    func run() async -> FetchOutcome {
        let landing = FetchOutcome()
        var target = firstTarget(landing)
        // Two kinds of hops, so that the one without a cache needs no room for the other's values.
        while let url = target {
            landing.urls.append(url.text)
            target = cache == nil ? await hop(to: url, landing) : await cachedHop(to: url, landing)
        }
        return landing
    }

    private func firstTarget(_ landing: FetchOutcome) -> ValidatedURL? {
        landing.capture { () throws(MediaFailure) in try errand.rules.policy.validate(url) }
    }

    private func hop(to target: ValidatedURL, _ landing: FetchOutcome) async -> ValidatedURL? {
        if let refusal = refusal() { return land(OriginOutcome(failure: refusal), from: target, landing) }
        return land(
            await client.value.send(fetch(from: target, landing), to: target, for: errand), from: target, landing)
    }

    private func request(to target: ValidatedURL, _ landing: FetchOutcome) -> OriginRequest {
        var request = OriginRequest(.get, target.text)
        if let cookies = landing.cookies.field(for: target) { request.fields[.cookie] = cookies }
        return request
    }

    private func fetch(from target: ValidatedURL, _ landing: FetchOutcome) -> OriginFetch {
        guard let tail else { return OriginFetch(request(to: target, landing)) }
        return OriginFetch(tail: target, from: tail.firstByte, of: tail.version)
    }

    /// Why nothing is downloaded.
    private func refusal() -> MediaFailure? {
        do throws(MediaFailure) {
            try errand.willDownload()
            return nil
        } catch {
            return error
        }
    }

    private func land(_ outcome: OriginOutcome, from target: ValidatedURL, _ landing: FetchOutcome) -> ValidatedURL? {
        landing.capture { () throws(MediaFailure) in
            if let failure = outcome.failure { throw failure }
            let response = try outcome.result.get()
            return try land(
                CachedResponse(head: response.head, body: response.body, status: .miss), from: target, landing)
        }
    }

    private func land(
        _ response: CachedResponse, from target: ValidatedURL, _ landing: FetchOutcome
    ) throws(MediaFailure) -> ValidatedURL? {
        landing.status = response.head.status
        if let revalidation = response.revalidation { landing.revalidations.append(revalidation) }
        guard response.head.isRedirect else {
            landing.result = .success(try media(in: response, from: landing.urls))
            return nil
        }
        guard let reference = response.head.value(of: .location) else {
            throw MediaFailure(.redirectRefused, "the redirect of the origin has no target")
        }
        let next = try errand.rules.policy.validate(reference, redirectedFrom: target)
        let most = errand.rules.policy.limits.redirects
        guard landing.redirects < most else { throw MediaFailure(.redirectRefused, "more than \(most) redirects") }
        landing.redirects += 1
        landing.cookies.note(response.head.fields[values: .setCookie], from: target)
        return next
    }

    private func cachedHop(to target: ValidatedURL, _ landing: FetchOutcome) async -> ValidatedURL? {
        guard let cache else { return await hop(to: target, landing) }
        let request = request(to: target, landing)
        var failure: MediaFailure?
        let answer = await cache.exchange(request, key: errand.rules.policy.cacheKey(of: target)) { request in
            let outcome = await ask(request, cache, target)
            failure = outcome.failure
            return outcome.result
        }
        return land(answer, failure, from: target, landing)
    }

    /// - Parameter failure: the origin's, if it was asked.
    private func land(
        _ answer: Result<CachedResponse, MediaFailure>, _ failure: MediaFailure?, from target: ValidatedURL,
        _ landing: FetchOutcome
    ) -> ValidatedURL? {
        landing.capture { () throws(MediaFailure) in
            let answer = try answer.get()
            // A part that is kept for the next time is no medium. A stale answer stands in for the failure.
            if let failure, answer.status == .miss || !answer.isComplete { throw failure }
            guard answer.isComplete else {
                throw MediaFailure(.truncated, "the origin sent less than the requested rest")
            }
            return try land(answer, from: target, landing)
        }
    }

    /// What is stored is asked about for half of the time that there is: if it may be given without an answer, it is to be
    /// given while there is still time to make something of it.
    private func ask(_ request: OriginRequest, _ cache: CachingExchange, _ target: ValidatedURL) async -> OriginOutcome
    {
        let isAboutStored = request.fields.contains(.ifNoneMatch) || request.fields.contains(.ifModifiedSince)
        if !isAboutStored, let refusal = refusal() { return OriginOutcome(failure: refusal) }
        guard isAboutStored,
            await cache.hasStandIn(for: OriginRequest(.get, target.text), key: errand.rules.policy.cacheKey(of: target))
        else { return await client.value.send(request, to: target, for: errand) }
        return await client.value.send(request, to: target, for: errand, within: errand.remaining() / 2)
    }

    private func media(
        in response: CachedResponse, from urls: [String]
    ) throws(MediaFailure) -> FetchedMedia {
        let status = response.head.status
        // No content, reset, and another part than was asked for are successes without the medium.
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

    /// How long an origin asks to be left alone that has more to do than it can: `Retry-After`, zero without one.
    private static func pause(askedBy head: ResponseHead) -> Duration? {
        guard [429, 503].contains(head.status) else { return nil }
        return head.value(of: .retryAfter).flatMap { OriginFetch.delay($0, at: Date()) } ?? .zero
    }

    /// Of a `Content-Type`, without its parameters, in lower case.
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
