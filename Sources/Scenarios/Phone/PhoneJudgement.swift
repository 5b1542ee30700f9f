package import Lab
package import NotificationModel

/// The comparison of two notifications that a phone shows of one push: with the original payload and with the processed content, side by side.
package struct PhoneJudgement: Sendable {
    package var alone: PhoneModel.Shown
    package var with: PhoneModel.Shown

    package init(_ model: PhoneModel, _ notification: ProcessedNotification, over link: LinkShape?) {
        alone = model.alone(notification)
        with = model.withContent(notification, over: link)
    }

    init(alone: PhoneModel.Shown, with: PhoneModel.Shown) {
        self.alone = alone
        self.with = with
    }

    /// The seconds by which the processed content is shown earlier; `nil` if one of both shows no media.
    package var saved: Double? { alone.isMedia && with.isMedia ? alone.seconds - with.seconds : nil }

    /// The lines of a report.
    package var lines: [String] {
        ["phone alone: \(alone.sentence)", "with appgroupd: \(with.sentence)"]
            + (saved.map { ["saved: \(ShownNumber.time(max(0, $0)))"] } ?? [])
    }

    func checks(_ expectation: PhoneExpectation) -> [Check] {
        var checks: [Check] = []
        for (key, expected, shown) in [
            ("phone alone", expectation.alone, alone), ("phone with", expectation.with, with),
        ] {
            guard let expected else { continue }
            checks.append(
                Check(
                    mark: expected.mark, key: key, expected: expected.value, got: shown.sentence,
                    isMet: expected.value == shown.word))
        }
        if let measure = expectation.saved {
            checks.append(
                Check(
                    mark: measure.mark, key: "phone saved", expected: measure.value.text,
                    got: saved.map(ShownNumber.time) ?? "nothing to compare",
                    isMet: saved.map { measure.value.contains($0) } ?? false))
        }
        return checks
    }
}
