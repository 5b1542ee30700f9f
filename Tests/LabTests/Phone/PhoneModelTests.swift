import Base
import Lab
import NotificationModel
import Scenarios
import Testing

/// Tests of the simulated phone beyond the table of ``PhoneVerdictTests``.
struct PhoneModelTests {
    @Test func `a phone alone shows a picture that it downloads in time`() throws {
        let shown = PhoneModel().alone(try DownloadedNotification().result())
        #expect(shown.isMedia && shown.seconds == 1 && shown.sentence == "media after 1.0 s")
    }

    @Test(arguments: [28, 30, 31]) func `the text is shown at the end of the clock`(seconds: Int) throws {
        let shown = PhoneModel().alone(try DownloadedNotification(time: .seconds(seconds)).result())
        #expect(shown.isMedia == (seconds <= 30))
        #expect(shown.seconds == Double(min(seconds, 30)))
    }

    @Test func `an extension that is ended early shows the text at that time`() throws {
        var model = PhoneModel()
        model.endsAfter = .seconds(2)
        let shown = model.alone(try DownloadedNotification(time: .seconds(3)).result())
        #expect(!shown.isMedia && shown.seconds == 2)
    }

    @Test func `an extension cannot run longer than its system permits`() throws {
        var model = PhoneModel()
        model.endsAfter = .seconds(60)
        #expect(!model.alone(try DownloadedNotification(time: .seconds(40)).result()).isMedia)
    }

    @Test func `a second call that begins during a download loses the first push until the end of the clock`() throws {
        var model = PhoneModel()
        model.secondCall = PhoneModel.SecondCall(delay: .milliseconds(500))
        let shown = model.alone(try DownloadedNotification().result())
        #expect(!shown.isMedia && shown.seconds == 30)
        model.secondCall?.sharesState = false
        #expect(model.alone(try DownloadedNotification().result()).isMedia)
    }

    @Test func `two calls at a time hold two downloads in one memory`() throws {
        var model = PhoneModel()
        model.holdsDownload = true
        let download = DownloadedNotification(bytes: 10_000_000, sourceType: "image/jpeg")
        #expect(model.alone(try download.result()).isMedia)
        model.secondCall = PhoneModel.SecondCall(delay: .milliseconds(500))
        model.secondCall?.sharesState = false
        let shown = model.alone(try download.result())
        #expect(shown.why == "iOS ends the extension at 24.0 MB: each of two files at a time has 10.0 MB")
        model.secondCall?.delay = .seconds(2)
        #expect(model.alone(try download.result()).isMedia)
    }

    @Test func `a push that is delivered twice is shown twice`() throws {
        var model = PhoneModel()
        model.secondCall = PhoneModel.SecondCall(delay: .seconds(2))
        let notification = try DownloadedNotification().result()
        #expect(PhoneJudgement(model, [notification], at: 0, over: nil).copies == 1)
        model.secondCall?.isSamePush = true
        let judgement = PhoneJudgement(model, [notification], at: 0, over: nil)
        #expect(judgement.copies == 2)
        #expect(judgement.lines.last == "the phone shows 2 notifications of the push")
    }

    @Test func `a phone downloads again what the daemon has in its cache`() throws {
        let first = try DownloadedNotification(time: .seconds(4)).result()
        let second = try DownloadedNotification(isFetched: false).result()
        let judgement = PhoneJudgement(PhoneModel(), [first, second], at: 1, over: nil)
        #expect(judgement.alone.seconds == 4)
    }

    @Test func `an obstacle on the phone holds for the processed content too`() throws {
        var model = PhoneModel()
        model.isLowData = true
        #expect(model.withContent(try DownloadedNotification().result(), over: nil).why == "Low Data Mode is on")
        let uncalled = try DownloadedNotification(runsExtension: false).result()
        #expect(PhoneModel().withContent(uncalled, over: nil).why?.contains("mutable-content") == true)
    }

    @Test func `an Android phone receives no payload for APNs`() throws {
        var model = PhoneModel()
        model.system = PhoneSystem(.android, 14)
        let push = try DownloadedNotification(payload: ["aps": ["alert": "Hi"]]).result()
        #expect(model.alone(push).why == "an Android phone receives no payload for APNs")
    }

    @Test func `a failed download leaves the text, with its reason`() throws {
        let rows: [(DownloadedNotification, String)] = [
            (
                DownloadedNotification(sourceType: nil, failure: MediaFailure(.httpStatus, "status 404")),
                "http-status: status 404"
            ),
            (
                DownloadedNotification(failure: MediaFailure(.budgetExceeded, "no byte")),
                "the extension is ended before the download"
            ),
            (
                DownloadedNotification(obstacle: "on a phone App Transport Security blocks plain http"),
                "on a phone App Transport Security blocks plain http"
            ),
            (DownloadedNotification(unError: .attachmentCorrupt), "UNError 105: image/jpeg"),
        ]
        for (download, why) in rows { #expect(PhoneModel().alone(try download.result()).why == why) }
    }
}
