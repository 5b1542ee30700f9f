import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the texts of `loc-key`s from the string tables of the app group.
@Suite(.timeLimit(.minutes(1))) struct LocalizedTextTests {
    private static let payload = """
        {"aps":{"alert":{"title":"Harbour closed","title-loc-key":"TITLE","title-loc-args":["Pier 4"],
         "subtitle-loc-key":"SUB","loc-key":"BODY","loc-args":["18:00",4]}}}
        """

    private func text(
        _ tables: FakeTables?, locale: String? = nil, language: String? = nil, payload: String = payload
    ) async throws -> NotificationText {
        let rules = PayloadRules(language: language.flatMap { LanguageTag($0) })
        let bench = PipelineBench(tables: tables, rules: rules)
        let request = try bench.request(payload) { $0.locale = locale }
        return try #require(try await bench.process(request).first).text
    }

    @Test func `each line is looked up separately, with its arguments`() async throws {
        let tables = FakeTables(["de": ["TITLE": "%@ geschlossen", "BODY": "Bis %1$@ Uhr, %2$@ Boote"]])
        let text = try await text(tables, locale: "de")
        #expect(text == NotificationText(title: "Pier 4 geschlossen", body: "Bis 18:00 Uhr, 4 Boote"))
    }

    @Test func `a line whose key is in no table keeps the payload's own text`() async throws {
        #expect(try await text(FakeTables(), locale: "de") == NotificationText(title: "Harbour closed"))
        #expect(try await text(nil, locale: "de") == NotificationText(title: "Harbour closed"))
    }

    @Test(
        arguments: [
            ("de-AT", nil, ["de-AT", "de", "de-DE", "Base"]),
            ("zh-Hant-TW", nil, ["zh-Hant-TW", "zh-Hant", "zh", "Base"]),
            ("de-AT", "de", ["de-AT", "de", "de-DE", "Base"]),
            ("de_AT", "en", ["de-AT", "de", "de-DE", "en", "en-US", "Base"]),
            (nil, "fr-CA", ["fr-CA", "fr", "fr-FR", "Base"]), (nil, nil, ["Base"]),
        ] as [(String?, String?, [String])])
    func `tables are read for the language, then for its shorter forms, then for the default language, then Base`(
        locale: String?, language: String?, order: [String]
    ) async throws {
        let tables = FakeTables()
        _ = try await text(tables, locale: locale, language: language)
        #expect(tables.asked == order.map { "group.default/\($0)" })
    }

    @Test func `only the missing lines are looked up in the next table`() async throws {
        let tables = FakeTables([
            "de-AT": ["TITLE": "Servus"], "de": ["TITLE": "Hallo", "SUB": "unten", "BODY": "b"], "Base": ["SUB": "x"],
        ])
        let text = try await text(tables, locale: "de-AT")
        #expect(text == NotificationText(title: "Servus", subtitle: "unten", body: "b"))
        #expect(tables.asked.count == 2, "all are found")
    }

    @Test func `the problem of an empty line names its localization key if no string table has the key`() async throws {
        let bench = PipelineBench(tables: FakeTables(["Base": ["SUB": "unten"]]))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.text == NotificationText(title: "Harbour closed", subtitle: "unten"))
        #expect(notification.problem == "no string table has BODY (body): add the texts to GROUP/strings/LOCALE.json")
        #expect(notification.outcome == .passthrough)
        let silent = #"{"aps":{"content-available":1,"alert":{}},"x":1}"#
        #expect(try await bench.process(bench.request(silent)).last?.problem == nil)
    }

    @Test func `a payload without localization keys reads no tables`() async throws {
        let tables = FakeTables()
        _ = try await text(tables, locale: "de", payload: #"{"aps":{"alert":{"title":"T"}}}"#)
        #expect(tables.asked.isEmpty)
    }

    @Test func `the language of a Matrix device is the recipient's language`() async throws {
        let tables = FakeTables(["fr": ["SINGLE_UNREAD": "Un message"]])
        let text = try await text(
            tables,
            payload: """
                {"notification":{"event_id":"e","room_id":"r","devices":[{"app_id":"a","pushkey":"k",
                 "data":{"lang":"fr","default_payload":{"aps":{"alert":{"loc-key":"SINGLE_UNREAD"}}}}}]}}
                """)
        #expect(text.body == "Un message")
    }

    @Test func `a string table that is not read in time does not delay the result beyond the deadline`() throws {
        let tables = FakeTables(neverAnswers: true)
        let bench = PipelineBench(tables: tables)
        let request = try bench.request(
            #"{"aps":{"alert":{"title":"T","loc-key":"BODY"}},"image":"https://a.example/1"}"#, budget: .seconds(5))
        _ = bench.start(request)
        bench.executor.turn()
        #expect(bench.emissions.isEmpty)
        bench.turn(to: request.budget.stagesEnd)
        #expect(bench.emissions.first?.outcome == .fallback)
        #expect(bench.emissions.first?.text == NotificationText(title: "T"))
        #expect(bench.isFinished)
    }

    /// A provider's text may replace lines of the alert, or be made from them. Both use the localized alert.
    @Test(arguments: [
        (
            #"{"aps":{"alert":{"title-loc-key":"T","body":"raw"}},"com.urbanairship.media_attachment":{"url":"https://a.example/404","content":{"title":"Own"}}}"#,
            NotificationText(title: "Own", body: "raw"), NotificationText(title: "Titel", body: "raw")
        ),
        (
            #"{"aps":{"alert":{"title":"raw","title-loc-key":"T"}},"title":"Own","media":[{"url":"https://a.example/404"}],"fallback":{"body":"F"}}"#,
            NotificationText(title: "Own"), NotificationText(title: "Own", body: "F")
        ),
        (
            #"{"aps":{"alert":{"title":"raw","title-loc-key":"T","body":"b"}},"_mediaUrl":"https://a.example/404","_mediaAlt":"Alt"}"#,
            NotificationText(title: "Titel", body: "b"), NotificationText(title: "Titel", body: "Alt")
        ),
        (
            #"{"alert":{"platforms":{"apns":{"alert":{"loc-key":"T"}}}},"parts":[{"type":"image/png","url":"https://a.example/404"}]}"#,
            NotificationText(body: "Titel"), NotificationText(body: "Titel")
        ),
        (
            #"{"message":{"notification":{"body":"own"},"apns":{"payload":{"aps":{"alert":{"title-loc-key":"T"}}},"fcm_options":{"image":"https://a.example/404"}}}}"#,
            NotificationText(title: "Titel", body: "own"), NotificationText(title: "Titel", body: "own")
        ),
    ])
    func `the success text and the fallback text use the lines of the localized alert`(
        payload: String, success: NotificationText, fallback: NotificationText
    ) async throws {
        for (answer, text) in [
            (FakeFetcher.Answer.ready, success), (.failure(MediaFailure(.httpStatus, "404")), fallback),
        ] {
            let bench = PipelineBench(["https://a.example/404": answer], tables: FakeTables(["Base": ["T": "Titel"]]))
            let notification = try #require(try await bench.process(bench.request(payload)).first)
            #expect(notification.text == text)
            #expect(notification.userInfo == (try JSONParser.value(of: payload).object), "untouched")
            #expect(notification.payload.detectedBy != "requested")
        }
    }
}
