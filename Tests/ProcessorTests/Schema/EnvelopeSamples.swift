/// The sample envelopes as JSON: those that the reader accepts, and those that the reader refuses or reads as bare
/// payloads.
enum EnvelopeSamples {
    private static let long = String(repeating: "x", count: 128)

    private static func list(of count: Int) -> String {
        "[" + (0..<count).map { #""\#($0)""# }.joined(separator: ",") + "]"
    }

    /// An envelope with every key.
    static let full = """
        {"id":"x","appGroup":"group.own","profile":"ios","budget":"5s","deadline":null,"dialect":"apns",
         "onExpiry":"original","permissions":{"service":true,"download":true,"wifiOnly":false},"network":"wifi",
         "fallback":{"title":"T","subtitle":null,"body":"B","other":7},"receipts":true,
         "callback":"https://a.example/","locale":"de_AT","recipient":"user-8812","labels":["job:superman","b"],"priority":10,"headers":{"apns-topic":"x","apns-priority":5},
         "keep":null,"critical":false,
         "traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","payload":{"aps":{"alert":"A"},"payload":7}}
        """

    static let taken =
        [
            full, #"{"payload":{}}"#, #"{"payload":{"a":1},"keep":true,"locale":"de"}"#,
            #"{"payload":7,"payload":{"a":1}}"#, #"{"id":7,"id":"x","payload":{}}"#,
            #"{"budget":null,"deadline":"2027-01-15T08:00:05Z","payload":{}}"#,
            #"{"budget":"5s","deadline":null,"payload":{}}"#,
        ] + good.flatMap { entry in entry.values.map { #"{"\#(entry.key)":\#($0),"payload":{}}"# } }

    /// Envelopes with a wrong value, or with keys that exclude each other, and objects that are no envelopes.
    static let refused =
        [
            "{}", #"{"a":1}"#, #"{"payload":7}"#, #"{"payload":null}"#, #"{"payload":[{}]}"#, #"{"payload":"{}"}"#,
            #"{"payload":{"a":1},"aps":{}}"#, #"{"payload":{},"budgett":"5s"}"#, #"{"id":"x","budget":"5s"}"#,
            #"{"payload":{},"payload":7}"#, #"{"id":"x","id":7,"payload":{}}"#, #"{"payload":{},"ID":"x"}"#,
            #"{"budget":"5s","deadline":"2027-01-15T08:00:05Z","payload":{}}"#,
        ] + bad.flatMap { entry in entry.values.map { #"{"\#(entry.key)":\#($0),"payload":{}}"# } }

    private static let good: [(key: String, values: [String])] = [
        ("id", ["null", #""x""#, #""a.b_c-d:e@f+g=h""#, #""-""#, #""_.""#, #""\#(long)""#]),
        ("appGroup", ["null", #""g""#, #""group.com.Example-1""#, #""-.""#, #""\#(long)""#]),
        ("profile", ["null", #""ios""#, #""android""#, #""web""#, #""watch""#, #""original""#]),
        ("budget", ["null", #""500ms""#, #""0s""#, #""1.5s""#, #""60m""#, #""1h""#]),
        (
            "deadline",
            [
                "null", #""2027-01-15T08:00:05Z""#, #""2027-01-15t08:00:00.500z""#, #""2027-01-15T10:00:05+02:00""#,
                #""1999-01-01T00:00:00Z""#, #""2016-12-31T23:59:60Z""#, #""2024-02-29T00:00:00-23:59""#,
                #""2027-01-15T09:00:00Z""#,
            ]
        ),
        ("dialect", ["null", #""apns""#, #""2mee""#, #""acme""#]),
        ("onExpiry", ["null", #""fallback-text""#, #""best-attempt""#, #""original""#]),
        ("permissions", ["null", "{}", #"{"download":false}"#, #"{"service":false,"wifiOnly":true}"#]),
        ("permissions", [#"{"unknownNetwork":"wifi"}"#, #"{"wifiOnly":true,"unknownNetwork":"cellular"}"#]),
        ("permissions", [#"{"alert":false,"badge":false,"sound":false,"provisional":true}"#]),
        ("recipient", ["null", #""8812""#, #""USR/ana@example.org""#, #""Mäx 7""#, #""\#(long)\#(long)""#]),
        ("labels", ["null", "[]", #"["favColor=red"]"#, #"["ä","a","a"]"#, #"["\#(long)"]"#, list(of: 32)]),
        ("network", ["null", #""wifi""#, #""cellular""#]),
        ("fallback", ["null", "{}", #"{"title":"","body":null}"#, #"{"other":7}"#]),
        ("receipts", ["null", "true", "false"]),
        ("callback", ["null", #""https://a.example/done""#]),
        ("locale", ["null", #""de""#, #""de-AT""#, #""de_AT""#, #""zh-Hant-TW""#, #""x-12345678""#]),
        ("priority", ["null", "10", "5", "1", "10.0", "1e1", "50e-1"]),
        ("headers", ["null", "{}", #"{"apns-expiration":1800000000,"Apns-Topic":"x"}"#]),
        ("critical", ["null", "true", "false"]),
        (
            "traceparent",
            [
                "null", #""\#(trace)""#, #""00-\#(ids)-00""#, #""00-\#(ids)-ff""#, #""01-\#(ids)-03""#,
                #""fe-\#(ids)-01-more""#, #""cc-\#(ids)-01-""#,
            ]
        ),
        ("keep", ["null", "true", "7", #""14d""#, "[]", "{}"]),
    ]

    private static let ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
    private static let trace = "00-\(ids)-01"

    private static let bad: [(key: String, values: [String])] = [
        ("id", ["7", "true", "[]", "{}", #""""#, #""../x""#, #"".x""#, #""a b""#, #""a/b""#, #""a\n""#, #""ä""#]),
        ("id", [#""\#(long)x""#]),
        ("appGroup", ["7", "true", "[]", "{}", #""""#, #"".hidden""#, #""..""#, #""a/b""#, #""a_b""#, #""a\n""#]),
        ("appGroup", [#""\#(long)x""#]),
        ("profile", ["7", "[]", #""palm-pilot""#, #""iOS""#, #""""#]),
        ("budget", ["5", "5.5", "[]", #""5""#, #""-5s""#, #""3601s""#, #""2h""#, #""soon""#, #""""#, #""5s\n""#]),
        (
            "deadline",
            [
                "1800000000", "{}", #""tomorrow""#, #""2027-01-15""#, #""""#, #""2027-01-15T08:00:05""#,
                #""2027-01-15T08:00:05Zjunk""#, #""2027-02-30T08:00:05Z""#, #""5s""#, #""2027-01-15T08:00:00+02""#,
                #""2027-01-15T08:60:00Z""#, #""2027-01-15T08:00:00.Z""#, #""2027-01-15 08:00:00Z""#,
            ]
        ),
        ("dialect", ["7", "[]", #""APNS""#, #""""#, #""-x""#, #""a b""#]),
        ("onExpiry", ["7", "{}", #""give-up""#, #""fallback""#]),
        ("network", ["7", "false", #""carrier-pigeon""#]),
        ("permissions", ["7", #""all""#, "[]", "true", #"{"download":1}"#, #"{"service":"no"}"#]),
        ("permissions", [#"{"unknownNetwork":true}"#, #"{"unknownNetwork":"lte"}"#, #"{"unknownNetwork":null}"#]),
        ("permissions", [#"{"provisional":"yes"}"#, #"{"sounds":true}"#]),
        ("recipient", ["7", "{}", "[]", "true", #""""#, #""a\nb""#, #""\u007f""#, #""\#(long)\#(long)x""#]),
        ("traceparent", ["7", "[]", #""""#, #""x""#, #""ff-\#(ids)-01""#, #""00-\#(ids)-1""#]),
        ("traceparent", [#""00-\#(ids)-0G""#, #""00-\#(ids.uppercased())-01""#, #""\#(trace) ""#, #""\#(trace)\n""#]),
        (
            "traceparent",
            [#""00-\#(ids)-01-more""#, #""00_\#(ids)_01""#, #""01-\#(ids)-01x""#, #""01-\#(ids)-01-\u0007""#]
        ),
        ("traceparent", [#""00-00000000000000000000000000000000-00f067aa0ba902b7-01""#]),
        ("traceparent", [#""00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01""#]),
        ("traceparent", [#""01-\#(ids)-01-\#(long)\#(long)""#]),
        ("labels", ["7", "{}", #""a""#, "true", "[7]", "[null]", #"[["a"]]"#, #"[""]"#]),
        ("labels", [#"["\#(long)x"]"#, list(of: 33)]),
        ("permissions", [#"{"wifiOnly":null}"#, #"{"wifi":true}"#, #"{"Download":false}"#]),
        ("fallback", ["7", #""text""#, "[]"]),
        ("receipts", ["1", #""true""#, "{}"]),
        ("callback", ["7", "[]", "{}", "true", #""gateway""#, #""ftp://a.example/""#]),
        ("critical", ["1", #""true""#, "{}"]),
        ("locale", ["7", "[]", #""""#, #""de-""#, #""-de""#, #""de AT""#, #""deutscher1""#, #""dé""#, #""de\n""#]),
        ("locale", [#""aaaaaaaa-bbbbbbbb-cccccccc-dddddddd-e""#]),
        ("priority", ["2", "0", "10.5", #""10""#, "true", "-10", "[]"]),
        ("headers", ["7", #""apns-topic: x""#, "[]"]),
    ]

    /// Numbers of a duration, whole and decimal, around the limit of an hour in each unit.
    static let numbers = [
        "", ".", "..", "0", "00", "5", "05", "5.", "5.5", ".5", "1.2.3", "-5", "+5", " 5", "1e3", "inf", "nan", "0x5",
        "\u{663}", "59", "59.999", "60", "060", "60.", "60.0", "60.1", "61", "99", "100", "599", "600", "1", "1.0",
        "1.01",
        "01.000", "2", "10", "0.99", "3599", "3599.9", "3600", "3600.00", "3600.01", "3601", "3700", "4000", "9999",
        "3599999.9", "3600000", "3600000.0", "3600000.1", "3600001", "3700000", "9999999", "36000000", "003600000",
        "0.0", "0.04", "0.041", "0.0416", "0.04166", "0.041667", "0.0417", "0.042", "0.05", "0.1", "0.041659", ".0416",
        "0.", "00.03", "24", "0.0409999",
    ]
}
