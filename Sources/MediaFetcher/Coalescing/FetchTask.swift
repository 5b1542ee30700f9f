import Base
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel
import Synchronization

/// A fetch of one URL from the cache or its origin, which follows redirects up to the limit of the policy.
///
/// Each redirect target is validated again, and has its own look-up in the cache.
final class FetchTask {
    private let context: FetchContext
    private let client: LoopConfined<OriginClient>
    /// The HTTP cache; `nil` if no responses are stored.
    private let cache: CachingExchange?
    /// The status of the last response; `nil` if no response arrived.
    private(set) var status: Int?
    /// The requests and keys of all used stale responses. Their validations start after the waiters have the result.
    private(set) var stale: [(request: OriginRequest, key: String)] = []
    private var cookies = RedirectCookies()
    /// The URL of each request, in order.
    private var urls: [String] = []
    /// The first redirect that came from the store, and the number of requests before it.
    private var storedRedirect: (target: ValidatedURL, index: Int)?
    /// Whether each request goes to the origin, because a stored redirect led to a URL that does not work any more.
    private var isRenewed = false

    init(_ context: FetchContext, client: LoopConfined<OriginClient>, cache: CachingExchange?) {
        self.context = context
        self.client = client
        self.cache = cache
    }

    func run() async -> Result<FetchedMedia, MediaFailure> {
        do throws(MediaFailure) {
            var target = try context.rules.policy.validate(context.url)
            while true {
                urls.append(target.text)
                let response = try await hop(to: target).get()
                // An incomplete body may be stored for the next fetch, and is not a usable media item.
                if let failure = response.failure { throw failure }
                status = response.head.status
                guard response.head.isRedirect else {
                    if let first = renewed(after: response) {
                        target = first
                        continue
                    }
                    return .success(try media(in: response))
                }
                if storedRedirect == nil, [.hit, .stale].contains(response.status) {
                    storedRedirect = (target, urls.count - 1)
                }
                target = try redirected(by: response.head, from: target)
            }
        } catch {
            return .failure(error)
        }
    }

    /// Begins again at the first stored redirect, once, if the origin refuses the URL to which it led. Origins redirect to
    /// signed URLs that expire.
    ///
    /// - Returns: The URL of the redirect; `nil` if no stored redirect is to be asked again.
    private func renewed(after response: OriginResponse) -> ValidatedURL? {
        guard let redirect = storedRedirect, !isRenewed, [.miss, .revalidated].contains(response.status),
            [401, 403, 404, 410].contains(response.head.status)
        else { return nil }
        isRenewed = true
        urls.removeLast(urls.count - redirect.index)
        return redirect.target
    }

    private func hop(to target: ValidatedURL) async -> Result<OriginResponse, MediaFailure> {
        var request = OriginRequest(.get, target.text)
        if let cookies = cookies.field(for: target) { request.fields[.cookie] = cookies }
        if case .tail(let firstByte, let version) = context.bodyMode {
            request.fields[.range] = "bytes=\(firstByte)-"
            request.fields[.ifRange] = version.validator
        }
        if isRenewed { request.fields[.cacheControl] = "no-cache" }
        guard let cache else { return await forward(request, to: target) }
        let key = context.rules.policy.cacheKey(of: target, for: context.group)
        let result = await cache.exchange(request, key: key) { request, mayServeStale in
            await forward(request, to: target, mayServeStale: mayServeStale)
        }
        if case .success(let response) = result, response.mustBeValidated { stale.append((request, key)) }
        return result
    }

    /// Sends a request to the origin. If a stale response could replace the response of the origin, the request has
    /// only half of the remaining time. The other half remains for the processing of the stale response.
    private func forward(
        _ request: OriginRequest, to target: ValidatedURL, mayServeStale: Bool = false
    ) async -> Result<OriginResponse, MediaFailure> {
        if !request.isConditional {
            do throws(MediaFailure) { try context.willDownload() } catch { return .failure(error) }
        }
        guard mayServeStale else { return await client.value.send(request, to: target, for: context) }
        return await client.value.send(request, to: target, for: context, within: context.remaining() / 2)
    }

    private func redirected(by head: ResponseHead, from target: ValidatedURL) throws(MediaFailure) -> ValidatedURL {
        guard let reference = head.value(of: .location) else {
            throw MediaFailure(.redirectRefused, "the redirect of the origin has no target")
        }
        let next = try context.rules.policy.validate(reference, redirectedFrom: target)
        let most = context.rules.policy.limits.redirects
        guard urls.count <= most else { throw MediaFailure(.redirectRefused, "more than \(most) redirects") }
        cookies.note(head.fields[values: .setCookie], from: target)
        return next
    }

    private func media(in response: OriginResponse) throws(MediaFailure) -> FetchedMedia {
        let status = response.head.status
        // A response without content (204, 205) and an unexpected partial response are successes without the media
        // item.
        guard (200...299).contains(status), ![204, 205].contains(status),
            (status == 206) == (context.bodyMode != .media)
        else {
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
            provenance: MediaProvenance(urls: urls), codingFault: response.codingFault)
    }

    /// Returns the time for which an overloaded origin asks clients to wait: its `Retry-After`, or zero if it sent no
    /// such field. The result is `nil` if the status is neither 429 nor 503.
    private static func pause(askedBy head: ResponseHead) -> Duration? {
        guard [429, 503].contains(head.status) else { return nil }
        return head.retryAfter(at: Date()) ?? .zero
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

/// The source of identifiers for bodies that are not stored, and therefore have no identifier from a store.
enum Identity {
    /// A random number of this process, so that two processes do not use the same identifiers.
    private static let start = UInt64.random(in: .min ... .max).hexadecimal(digits: 16)
    private static let last = Atomic<UInt64>(0)

    /// Returns a unique identifier of 32 hexadecimal digits.
    static func next() -> String { start + last.add(1, ordering: .relaxed).newValue.hexadecimal(digits: 16) }
}
