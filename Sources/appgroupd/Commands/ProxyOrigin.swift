import ArgumentParser
import MediaFetcher
import NotificationModel

/// The origin that `lab proxy` asks.
struct ProxyOrigin: Sendable {
    /// `http://127.0.0.1:8000`: without a slash at its end.
    let text: String
    /// Where it is, as far as the name says so: who names an address wants it to be asked.
    let ranges: [AddressRange]

    init(_ text: String) throws {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        guard let url = try? policy.judge(text),
            url.text.split(separator: "/", omittingEmptySubsequences: false).count == 4,
            url.text.hasSuffix("/")
        else { throw ValidationError("it must be a URL without a path, as http://127.0.0.1:8000.") }
        self.text = String(url.text.dropLast())
        let places = url.address.map { [$0.text] } ?? (url.host == "localhost" ? ["127.0.0.0/8", "::1"] : [])
        ranges = places.compactMap { AddressRange($0) }
    }
}
