import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of one notification in each of the forms in which senders write it.
@Suite struct PayloadFormTests {
    @Test(arguments: try PayloadForm.all())
    func `each form of a payload has the expected texts and media`(_ form: PayloadForm) throws {
        let reading = DialectTable.standard.read(form.payload)
        let text = [PushPlatform.apns, .android].map { reading.platformTexts[$0] ?? NotificationText() }
            .reduce(reading.successText) { $0.over($1) }
        #expect(reading.dialect?.description == form.dialect)
        #expect(text.title == form.title)
        #expect(text.body == form.body)
        #expect(reading.media.filter { $0.role == .attachment }.map(\.url) == form.media)
        #expect(reading.problems.map(\.text) == [])
    }

    @Test func `at least a hundred forms of payloads are tested`() throws {
        #expect(try PayloadForm.all().count > 100)
    }
}
