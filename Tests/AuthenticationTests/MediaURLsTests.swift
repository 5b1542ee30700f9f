import Authentication
import FoundationEssentials
import NotificationModel
import Testing

@Suite struct MediaURLsTests {
    private static let file = String(repeating: "a1", count: 32) + ".jpg"
    private static let now = Date(timeIntervalSince1970: 1_000_000_000)
    private static let end = Date(timeIntervalSince1970: 1_000_000_060)
    private static let key = String(repeating: "k", count: 43)
    private static let otherKey = String(repeating: "o", count: 43)

    private static func urls(_ keys: String?) throws -> MediaURLs {
        MediaURLs(base: "https://media.example.com/p", keys: try keys.map { try URLSigningKeys($0) })
    }

    /// Returns the parameters of a signed URL.
    private static func query(of url: String) -> [String: String] {
        let pairs = (url.split(separator: "?").last ?? "").split(separator: "&").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }

    @Test func `without keys a URL has no query and is always valid`() throws {
        let urls = try Self.urls(nil)
        #expect(urls.end(ofMessageUntil: Self.end, at: Self.now) == nil)
        let url = urls.url(of: Self.file, in: .default, until: nil)
        #expect(url == "https://media.example.com/p/v1/media/group.default/\(Self.file)")
        #expect(try urls.check(Self.file, in: .default, until: "1", signature: "x", at: Self.now) == nil)
    }

    @Test func `a signature is the HMAC of the path and the end, as OpenSSL computes it`() throws {
        let url = try Self.urls(Self.key).url(of: "f.jpg", in: .default, until: Self.end)
        // printf '/v1/media/group.default/f.jpg?expires=1000000060' | openssl dgst -sha256 -hmac kkk… -binary |
        // basenc --base64url
        #expect(
            url
                == "https://media.example.com/p/v1/media/group.default/f.jpg?expires=1000000060&signature=g3v64CypJEVarUsry7-Yw0wEy1b53-rjzchYM7XSmKU"
        )
    }

    @Test func `a signed URL is valid until its end`() throws {
        let urls = try Self.urls(Self.key)
        let query = Self.query(of: urls.url(of: Self.file, in: .default, until: Self.end))
        func check(at seconds: TimeInterval) throws -> Int? {
            try urls.check(
                Self.file, in: .default, until: query["expires"], signature: query["signature"],
                at: Self.now.addingTimeInterval(seconds))
        }
        #expect(try check(at: 0) == 60)
        #expect(try check(at: 59.5) == 0)
        #expect(throws: URLRefusal.expired) { try check(at: 60) }
    }

    @Test func `another file, group, end or signature is refused`() throws {
        let urls = try Self.urls(Self.key)
        let query = Self.query(of: urls.url(of: Self.file, in: .default, until: Self.end))
        let (end, signature) = (try #require(query["expires"]), try #require(query["signature"]))
        let other = try #require(AppGroupName("group.other"))
        let otherFile = Self.file.replacing("a1", with: "b2")
        let changed = (signature.first == "A" ? "B" : "A") + signature.dropFirst()
        let cases: [(String, AppGroupName, String?, String?, URLRefusal)] = [
            (otherFile, .default, end, signature, .forged), (Self.file, other, end, signature, .forged),
            (Self.file, .default, "1000000061", signature, .forged),
            (Self.file, .default, "0" + end, signature, .forged),
            (Self.file, .default, "+\(end)", signature, .forged), (Self.file, .default, "", signature, .forged),
            (Self.file, .default, "9999999999999", signature, .forged), (Self.file, .default, end, changed, .forged),
            (Self.file, .default, end, signature + "=", .forged), (Self.file, .default, end, "", .forged),
            (Self.file, .default, end, String(signature.dropLast()), .forged),
            (Self.file, .default, nil, signature, .unsigned), (Self.file, .default, end, nil, .unsigned),
        ]
        for (file, group, end, signature, refusal) in cases {
            #expect(throws: refusal) {
                try urls.check(file, in: group, until: end, signature: signature, at: Self.now)
            }
        }
    }

    @Test func `during a rotation the first key signs and both are valid`() throws {
        let (old, both, new) = (
            try Self.urls(Self.key), try Self.urls("\(Self.otherKey)\n\(Self.key)"), try Self.urls(Self.otherKey)
        )
        let oldURL = old.url(of: Self.file, in: .default, until: Self.end)
        let bothURL = both.url(of: Self.file, in: .default, until: Self.end)
        #expect(bothURL == new.url(of: Self.file, in: .default, until: Self.end))
        #expect(bothURL != oldURL)
        func isValid(_ url: String, for urls: MediaURLs) -> Bool {
            let query = Self.query(of: url)
            let rest = try? urls.check(
                Self.file, in: .default, until: query["expires"], signature: query["signature"], at: Self.now)
            return rest != nil
        }
        #expect(isValid(oldURL, for: both) && isValid(bothURL, for: both))
        #expect(!isValid(oldURL, for: new) && !isValid(bothURL, for: old))
    }

    @Test(
        arguments: [
            // A message with an end, without one, with an end after the longest life, and with a fraction.
            (86_400, 3_600, 3_600), (86_400, nil, 83_600), (86_400, 90_000, 83_600), (86_400, 10.75, 10),
            (60, nil, 56), (1e9, nil, 2_589_200),
        ] as [(TimeInterval, TimeInterval?, TimeInterval)])
    func `a URL ends with its message, and after its longest life`(
        _ life: TimeInterval, _ expiry: TimeInterval?, _ rest: TimeInterval
    ) throws {
        let urls = MediaURLs(base: "https://a.example", keys: try URLSigningKeys(Self.key), life: life)
        let end = urls.end(ofMessageUntil: expiry.map { Self.now.addingTimeInterval($0) }, at: Self.now)
        #expect(end.map { $0.timeIntervalSince(Self.now) } == rest)
    }

    @Test func `the messages of one hour have the same URL`() throws {
        let urls = try Self.urls(Self.key)
        let hour = Date(timeIntervalSince1970: 3_600 * 277_778)
        let ends = [0, 1, 3_599, 3_600].map { urls.end(ofMessageUntil: nil, at: hour.addingTimeInterval($0)) }
        #expect(ends[0] == ends[1] && ends[0] == ends[2] && ends[0] != ends[3])
    }

    @Test(arguments: ["", "\n", "short", String(repeating: "k", count: 42), "a\nb\nc"])
    func `a file without one or two long keys is refused`(_ text: String) {
        #expect(throws: UnusableKeys.self) { try URLSigningKeys(text) }
    }

    @Test func `blanks and empty lines around keys are ignored`() throws {
        #expect(
            try URLSigningKeys("\n \(Self.key) \r\n\n\(Self.otherKey)\n")
                == URLSigningKeys("\(Self.key)\n\(Self.otherKey)")
        )
    }
}
