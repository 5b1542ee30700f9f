import NotificationModel

/// The payloads that several tests use. Complete payloads are in the fixtures.
enum SamplePayloads {
    /// A payload with two media items, a text and a fallback text.
    static let pair = """
        {"title":"Two","subtitle":"Sub","body":"Look","fallback":{"title":"None","body":"Sorry"},
         "media":[{"url":"https://a.example/1","id":"one"},{"url":"https://a.example/2","id":"two"}]}
        """

    /// A payload with one media item, a text, and a fallback text without a subtitle.
    static let single = """
        {"title":"One","subtitle":"Sub","body":"Look","fallback":{"title":"None","body":"Sorry"},
         "media":[{"url":"https://a.example/1","id":"one"}]}
        """

    /// A payload with one media item, and without a fallback text.
    static let plain = """
        {"aps":{"alert":{"title":"One","body":"Look"},"mutable-content":1},"image":"https://a.example/1"}
        """

    static let silent = """
        {"aps":{"content-available":1},"image":"https://a.example/1"}
        """

    /// A message that expired in 2001.
    static let expired = """
        {"aps":{"alert":{"title":"One","subtitle":"Sub","body":"Look"}},"appear2mee":{"id":"m","action":"Play",
         "urls":["https://a.example/1"],"fbText":"Sorry","playTime":1000000000000,"expiry":5}}
        """
}

extension MediaReference {
    /// The reference without its claims, which `ForwardedTypesPlainTests` checks.
    var withoutClaims: MediaReference {
        var reference = self
        reference.claims = []
        return reference
    }
}
