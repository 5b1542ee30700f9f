package import NotificationModel

/// The expected results of a payload. Absent members are not checked.
package struct Expectation: Sendable {
    package struct Attachment: Sendable {
        package var mark: TextMark
        package var identifier: Placed<String>?
        /// The MIME type, or a part of the name of the format such as `jpeg`.
        package var type: Placed<String>?
        /// The size in bytes.
        package var size: Placed<Measure>?
        package var width: Placed<Measure>?
        package var height: Placed<Measure>?
        /// The duration in seconds.
        package var duration: Placed<Measure>?
        package var frames: Placed<Measure>?
    }

    package struct Verdict: Sendable {
        package var identifier: Placed<String>
        /// The reason of the failure; `nil` in the value if the item must be shown.
        package var reason: Placed<DegradationReason?>?
        /// The code of `UNError`; `nil` in the value if the phone must accept the original.
        package var unError: Placed<Int?>?
    }

    package var mark: TextMark
    package var outcome: Placed<Outcome>?
    package var reason: Placed<DegradationReason?>?
    package var title: Placed<String>?
    package var subtitle: Placed<String>?
    package var body: Placed<String>?
    package var attachmentCount: Placed<Measure>?
    package var attachments: [Attachment]?
    package var attachmentsMark: TextMark?
    package var verdicts: [Verdict] = []
    /// The time from the arrival to the result, in seconds.
    package var within: Placed<Measure>?
    /// The number of requests by rule of the origin.
    package var hits: [(key: Placed<String>, count: Placed<Measure>)] = []
    /// The memory of the largest worker, in bytes.
    package var memory: Placed<Measure>?
    /// The judgements of the phone; `nil` if they are not checked.
    package var phone: PhoneExpectation?

    package init(mark: TextMark) { self.mark = mark }

    /// Whether nothing is expected.
    package var isEmpty: Bool {
        outcome == nil && reason == nil && title == nil && subtitle == nil && body == nil && attachmentCount == nil
            && attachments == nil && verdicts.isEmpty && within == nil && hits.isEmpty && memory == nil && phone == nil
    }
}
