import NotificationModel

/// Payloads that several tests use; the fixtures are the whole ones.
enum SamplePayloads {
    /// Two media, both sides of text.
    static let pair = """
        {"title":"Two","subtitle":"Sub","body":"Look","fallback":{"title":"None","body":"Sorry"},
         "media":[{"url":"https://a.example/1","id":"one"},{"url":"https://a.example/2","id":"two"}]}
        """

    /// One medium, both sides of text; the fallback has no subtitle.
    static let single = """
        {"title":"One","subtitle":"Sub","body":"Look","fallback":{"title":"None","body":"Sorry"},
         "media":[{"url":"https://a.example/1","id":"one"}]}
        """

    /// One medium, one side of text.
    static let plain = """
        {"aps":{"alert":{"title":"One","body":"Look"},"mutable-content":1},"image":"https://a.example/1"}
        """

    static let silent = """
        {"aps":{"content-available":1},"image":"https://a.example/1"}
        """

    /// Expired in 2001.
    static let expired = """
        {"aps":{"alert":{"title":"One","subtitle":"Sub","body":"Look"}},"appear2mee":{"id":"m","action":"Play",
         "urls":["https://a.example/1"],"fbText":"Sorry","playTime":1000000000000,"expiry":5}}
        """
}

extension MediaReference {
    /// The reference alone: what the payload says of its file is `ForwardedTypesPlainTests`' matter.
    var withoutClaims: MediaReference {
        var reference = self
        reference.claims = []
        return reference
    }
}
