import Base
import NotificationModel

/// The reader of `nse`, and of `phone` in expectations.
struct PhoneReader {
    let problems: ProblemList

    func model(_ node: ScenarioNode) -> PhoneModel {
        let fields = FieldReader(node, "nse", example: "{os: iOS 17, killedAfter: 5s}", problems)
        var model = PhoneModel()
        model.system =
            fields.value("os", "a system with its version, such as iOS 17 or Android 14") { PhoneSystem($0) }?.value
            ?? model.system
        model.memory =
            fields.value("memory", "12MB, 16MB or 24MB") { text in
                MeasureText.bytes(text).flatMap { [12e6, 16e6, 24e6].contains($0) ? Int($0) : nil }
            }?.value ?? model.memory
        model.holdsDownload =
            fields.choice("download", [("file", false), ("memory", true)])?.value ?? model.holdsDownload
        model.converts = fields.truth("converts")?.value ?? false
        model.endsAfter = fields.duration("killedAfter")?.value
        model.secondCall = fields.node("secondCall").flatMap(secondCall)
        model.isLowData = fields.truth("lowData")?.value ?? false
        model.allowsPlainHTTP = fields.truth("plainHTTP")?.value ?? false
        fields.finish()
        if model.system.family == .android {
            for key in ["memory", "download", "converts", "secondCall"] {
                guard let node = fields.node(key) else { continue }
                problems.add(
                    node.mark, "\(key) has no effect with \(model.system): remove it, or write os: iOS 17")
            }
        }
        return model
    }

    private func secondCall(_ node: ScenarioNode) -> PhoneModel.SecondCall? {
        let fields = FieldReader(node, "secondCall", example: "{after: 500ms}", problems)
        let delay = fields.duration("after")
        if delay == nil, !fields.has("after") {
            problems.add(node.mark, "secondCall needs after: the time from the first call, such as {after: 500ms}")
        }
        var call = PhoneModel.SecondCall(delay: delay?.value ?? .zero)
        call.isSamePush = fields.choice("push", [("other", false), ("same", true)])?.value ?? call.isSamePush
        call.sharesState = fields.choice("state", [("shared", true), ("own", false)])?.value ?? call.sharesState
        fields.finish()
        return call
    }

    func expectation(_ node: ScenarioNode) -> PhoneExpectation {
        let fields = FieldReader(node, "phone", example: "{alone: text, with: media}", problems)
        let words = ["media", "text"].map { ($0, $0) }
        let expectation = PhoneExpectation(
            alone: fields.choice("alone", words), with: fields.choice("with", words),
            saved: fields.value("saved", "a duration, such as >= 1s") { Measure($0, unit: MeasureText.seconds) },
            copies: fields.value("copies", "a number, such as 1") { Measure($0, unit: MeasureText.count) })
        fields.finish()
        return expectation
    }
}
