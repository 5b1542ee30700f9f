/// HTTP caching by the book, for a private cache: RFC 9111, the parts of RFC 9110 that it rests on (validators,
/// conditional and range requests), and RFC 5861.
///
/// **What comes in.** A request, the key that its answers are stored under, and a closure that asks the origin:
/// ``CachingExchange``. The key says whose answer it is, the URL and with what credentials; the store is behind a port,
/// ``ResponseStoring``.
///
/// **What goes out.** An answer, and how it came about: from the store while it is fresh; from the store after the origin
/// has confirmed it; from the store though it is stale, where the origin, the caller or need allows that; otherwise from
/// the origin, and into the store where the rules allow. A part that broke off is stored too, and the next request
/// fetches the rest of it.
///
/// **Where it is decided.** The rules (`Rules/`) are pure: dates come in, nothing is read or sent, and each names its
/// section. What fields say is read in `Fields/`. The exchange around them (`Exchange/`) does what they decide.
///
/// **What it refuses.** To believe what contradicts itself: a freshness that is no number is none, a date that is no date
/// is past, a 206 that does not fit its own range is not stored, and a rest that begins elsewhere than it was asked for is
/// thrown away with the beginning, and the whole asked for. Bytes are put together by strong validators only.
///
/// **What it leaves out**, being private: `s-maxage`, `proxy-revalidate`, `Surrogate-Control` and `CDN-Cache-Control` are
/// for shared caches; `private` and `Authorization` are no obstacle. `Warning` is no more (RFC 9111 §5.5). Several ranges
/// at once are answered with the whole, which is allowed. Interim answers are the transport's.
///
/// **Who cancels it, and where it runs.** It runs where its caller does, starts no tasks and keeps no state, but for the
/// names of fields that have come lately. A failure of the store is never one of the exchange.
