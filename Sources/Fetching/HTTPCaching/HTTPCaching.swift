/// The rules of HTTP caching for a private cache: RFC 9111, RFC 5861, and parts of RFC 9110. These parts define
/// validators, conditional requests and range requests.
///
/// **Input.** ``CachingExchange`` takes a request, the key of its stored responses, and a closure that sends a request
/// to the origin. The key identifies the URL and the credentials. The store is a port, ``ResponseStoring``.
///
/// **Output.** The exchange returns a response and its cache status. The response comes from the store if it is fresh,
/// if the origin has confirmed it, or if the rules allow a stale response. Otherwise it comes from the origin, and is
/// stored if the rules allow that. A body that broke off is stored too, and the next request fetches only the rest of
/// it.
///
/// **Structure.** The rules in `Rules/` are pure functions of their arguments, and each names its section of an RFC.
/// `Fields/` parses header fields. `Exchange/` performs the decisions of the rules.
///
/// **Refusals.** The cache does not trust contradictory headers. A malformed lifetime counts as 0 seconds, and a
/// malformed date counts as past. A 206 response whose body does not fit its `Content-Range` is not stored. If the
/// response to a range request starts at another position, the cache removes the stored beginning and requests the
/// whole body. Bodies are combined only if their strong validators match.
///
/// **Out of scope.** A private cache ignores `s-maxage`, `proxy-revalidate`, `Surrogate-Control` and
/// `CDN-Cache-Control`, which are for shared caches. A private cache stores responses despite `private` or
/// `Authorization`. `Warning` is obsolete (RFC 9111 §5.5). A request for several ranges gets the whole body, which RFC
/// 9110 §14.2 allows. The transport handles interim responses.
///
/// **Execution.** The code runs on the executor of its caller, and ends when the caller is cancelled. The code starts
/// no tasks. Its only state is a cache of field names. A failure of the store never fails an exchange.
///
/// To add a new rule, do this: write a pure function with its section of the RFC in the type of `Rules/` that decides
/// about its subject, such as `Storability` or `CacheDecision`. `CachingExchange` performs the decision. Then describe
/// the rule in `docs/reference/caching.md`.
