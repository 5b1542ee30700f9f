package import NotificationModel

/// Downloads media over HTTP with libcurl, and keeps to who may be fetched.
///
/// What comes in: a URL as a payload wrote it, an empty file, a deadline. What goes out: the file with the body's bytes
/// in it and what the origin said of them, or the reason why not. Each hop of a redirect is parsed, judged and
/// connected anew; each address is judged when a socket to it is about to be opened, and again when a connection is
/// used a second time, so that nobody's DNS can change its mind in between. Bytes are counted as they arrive, after
/// decoding.
///
/// Refused: URLs that are not absolute http(s) or carry credentials, addresses that are not public, ports other than 80
/// and 443 (unless allowed), a redirect from https to http, answers that are not a success, bodies that are too long.
/// Cancelling the calling task ends a fetch at once. All of libcurl runs on one owned thread.
package struct HTTPMediaFetcher: MediaFetching {
    private let engine: CurlEngine
    private let current: CurrentPolicy

    package init(policy: FetchPolicy, userAgent: String) throws(MediaFailure) {
        engine = try CurlEngine(limits: policy.limits, userAgent: userAgent)
        current = CurrentPolicy(policy)
    }

    /// Changes what the fetches from now on keep to; the numbers of connections stay as they are.
    package func change(_ policy: FetchPolicy) { current.policy = policy }

    /// Ends what still runs and joins the thread. Called once.
    package func shutdown() async { await engine.shutdown() }

    package func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        defer { request.trace.leave() }
        do throws(MediaFailure) { return .success(try await follow(request)) } catch { return .failure(error) }
    }

    private func follow(_ request: FetchRequest) async throws(MediaFailure) -> FetchedMedia {
        let policy = current.policy
        var target = request.url
        var wasSecure = false
        for hop in 0...policy.limits.redirects {
            let (text, host, isSecure) = try Self.judged(target, hop: hop, policy)
            if wasSecure, !isSecure {
                throw MediaFailure(.redirectRefused, "the origin redirects from https to http")
            }
            wasSecure = isSecure
            let transfer = TransferRequest(
                url: text, headers: policy.headers.fields(for: host, isSecure: isSecure), caFile: policy.caFile,
                file: request.file, deadline: request.deadline, trace: request.trace,
                rule: policy.addresses, limits: policy.limits)
            switch await engine.run(transfer) {
            case .complete(let byteCount, let declaredType):
                return FetchedMedia(file: request.file, byteCount: byteCount, declaredType: declaredType)
            case .redirect(let reference, let origin): target = try Self.resolve(reference, from: origin)
            case .failed(let failure): throw failure
            }
        }
        throw MediaFailure(.redirectRefused, "more than \(policy.limits.redirects) redirects")
    }

    private static func resolve(_ reference: String, from origin: String) throws(MediaFailure) -> String {
        do throws(MediaFailure) {
            var url = try CurlURL.parse(origin)
            try url.follow(reference)
            return url.text ?? reference
        } catch {
            throw MediaFailure(.redirectRefused, "the origin redirects to what is no URL: \(error.detail)")
        }
    }

    /// The URL as libcurl will request it, if the policy lets it through.
    private static func judged(
        _ text: String, hop: Int, _ policy: FetchPolicy
    ) throws(MediaFailure) -> (text: String, host: String, isSecure: Bool) {
        do throws(MediaFailure) {
            let url = try policy.judge(text)
            guard let text = url.text, let host = url.host else {
                throw MediaFailure(.invalidURL, "the URL cannot be read")
            }
            return (text, host, url.scheme == "https")
        } catch  where hop > 0 {
            throw MediaFailure(.redirectRefused, "the origin redirects to where nothing is fetched: \(error.detail)")
        }
    }
}

/// The policy that is in force, which the operator may change.
private final class CurrentPolicy: Sendable {
    private let state: Guarded<FetchPolicy>

    init(_ policy: FetchPolicy) { state = Guarded(policy) }

    var policy: FetchPolicy {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
