package import Lab
package import NotificationModel

/// The comparison of two notifications that a phone shows of one push: with the original payload and with the processed content, side by side.
package struct PhoneJudgement: Sendable {
    package var alone: PhoneModel.Shown
    package var with: PhoneModel.Shown
    package var copies: Int

    /// Judges the result of one of several payloads.
    ///
    /// - Parameter notifications: The results of all payloads, in their order.
    package init(_ model: PhoneModel, _ notifications: [ProcessedNotification], at index: Int, over link: LinkShape?) {
        let notification = notifications[index]
        alone = model.alone(notification.downloaded(as: notifications.prefix(index)))
        with = model.withContent(notification, over: link)
        copies = model.copies
    }

    /// The seconds by which the processed content is shown earlier; `nil` if one of both shows no media.
    package var saved: Double? { alone.isMedia && with.isMedia ? alone.seconds - with.seconds : nil }

    /// The lines of a report.
    package var lines: [String] {
        ["phone alone: \(alone.sentence)", "with appgroupd: \(with.sentence)"]
            + (saved.map { ["saved: \(ShownNumber.time(max(0, $0)))"] } ?? [])
            + (copies > 1 ? ["the phone shows \(copies) notifications of the push"] : [])
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
        if let measure = expectation.copies {
            checks.append(
                Check(
                    mark: measure.mark, key: "phone copies", expected: measure.value.text, got: "\(copies)",
                    isMet: measure.value.contains(Double(copies))))
        }
        return checks
    }
}

extension ProcessedNotification {
    /// Returns this result with the download of an earlier one if the daemon had the first media item in its cache. A
    /// phone has no such cache, and downloads the item again.
    fileprivate func downloaded(as earlier: ArraySlice<ProcessedNotification>) -> ProcessedNotification {
        guard let own = verdicts.first, own.transfers.isEmpty else { return self }
        let same = earlier.flatMap(\.verdicts).last { $0.url == own.url && !$0.transfers.isEmpty }
        guard let same else { return self }
        var copy = self
        copy.verdicts[0].stages = same.stages
        copy.verdicts[0].transfers = same.transfers
        return copy
    }
}
