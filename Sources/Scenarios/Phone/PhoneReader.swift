import NotificationModel
import Primitives

/// The reader of `nse`, and of `phone` in expectations.
struct PhoneReader {
    let problems: ProblemList

    func model(_ node: ScenarioNode) -> PhoneModel {
        let fields = FieldReader(node, "nse", example: "{memory: 24MB, killedAfter: 5s}", problems)
        var model = PhoneModel()
        model.version = fields.value("ios", "a version, such as 17") { Int($0) }?.value ?? model.version
        model.memory =
            fields.value("memory", "12MB, 16MB or 24MB") { text in
                MeasureText.bytes(text).flatMap { [12e6, 16e6, 24e6].contains($0) ? Int($0) : nil }
            }?.value ?? model.memory
        model.holdsDownload =
            fields.choice("download", [("file", false), ("memory", true)])?.value ?? model.holdsDownload
        model.clock = fields.duration("killedAfter")?.value ?? model.clock
        model.isLowData = fields.truth("lowData")?.value ?? false
        model.allowsPlainHTTP = fields.truth("plainHTTP")?.value ?? false
        fields.finish()
        return model
    }

    func expectation(_ node: ScenarioNode) -> PhoneExpectation {
        let fields = FieldReader(node, "phone", example: "{alone: text, with: media}", problems)
        let words = ["media", "text"].map { ($0, $0) }
        let expectation = PhoneExpectation(
            alone: fields.choice("alone", words), with: fields.choice("with", words),
            saved: fields.value("saved", "a duration, such as >= 1s") { Measure($0, unit: MeasureText.seconds) })
        fields.finish()
        return expectation
    }
}
