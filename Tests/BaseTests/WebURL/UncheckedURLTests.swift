import Base
import Testing

@Suite struct UncheckedURLTests {
    @Test(arguments: [
        ("https://u:p@A.example:8443/1?x=/@#y", "https://A.example:8443/1"), ("https://a.example", "https://a.example"),
        (" https://u:p@a.example/x", " https://a.example/x"), ("x y://b@c@a.example#z", "x y://a.example"),
        ("https://[u:p@[::1]:80/x", "https://[::1]:80/x"), ("photo.jpg?token=s", "photo.jpg"),
        ("https://a.example/u@b", "https://a.example/u@b"), ("a?b://u:p@c", "a"), ("", ""), ("a:b:c", "a:b:c"),
        ("https://a.example?\u{301}s3cr3t", "https://a.example"), ("a:b://u:p@c/", "a:b://c/"),
        ("//u:p@host/x", "host/x"), ("u:p@host/x", "host/x"), ("https:/u:p@host/x", "host/x"),
        ("https:u:p@host", "host"), (#"https:\\u:p@host"#, "host"), ("u:p?w@host", ""), ("u:p#w@host", ""),
        ("https://u:p?w@host", "https://"), ("https://u:p#w@host", "https://"), ("u:p@b://c", "b://c"),
        ("https://u:p/w@host/x", "https://host/x"), ("https://u:/w@host", "https://host"),
        ("https://u:p/w?v@host", "https://"), ("https://a.example:80/u@b?c", "https://a.example:80/u@b"),
        ("https://a.example/?c=u@b", "https://a.example/"), ("photo.jpg?to=u@b", "photo.jpg"),
    ])
    func `a URL is shown without credentials, query and fragment`(_ text: String, _ shown: String) {
        #expect(UncheckedURL(text).redacted == shown)
    }

    @Test(
        arguments: [
            ("https://u:p@A.example:443/x", "a.example:443", "a.example"), ("http://a:80", "a:80", "a"),
            ("http://a:443", "a:443", "a:443"), ("HTTPS://[::1]:443?x", "[::1]:443", "[::1]"),
            ("a.example/x", nil, nil),
            ("https://", "", ""), ("mxc:x", nil, nil), ("http://a:", "a:", "a:"),
            ("https://u:p?w@host", "", ""), ("https://u:p/w@host", "", ""),
        ] as [(String, String?, String?)])
    func `two spellings of a URL that differ in letter case or default port have the same host`(
        _ text: String, _ place: String?, _ ownPlace: String?
    ) {
        #expect(UncheckedURL(text).hostAndPort == place)
        #expect(UncheckedURL(text).hostAndOwnPort == ownPlace)
    }
}
