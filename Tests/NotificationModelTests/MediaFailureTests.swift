import NotificationModel
import Testing

@Suite struct MediaFailureTests {
    /// The reasons as §1 of the contract lists them.
    private static let published = """
        budget-exceeded cancelled expired service-not-permitted download-not-permitted wifi-only invalid-url \
        forbidden-scheme forbidden-host forbidden-address dns-failed connect-failed tls-failed http-status \
        redirect-refused truncated connection-lost too-large too-many-pixels unsupported-media corrupt-media \
        host-resting overloaded worker-crashed storage-failed other-profile invalid-payload duplicate-id internal
        """.split(separator: " ").map(String.init)

    @Test func `the program has exactly the published reasons`() {
        #expect(DegradationReason.allCases.map(\.rawValue) == Self.published)
    }

    @Test func `the program has exactly the published outcomes`() {
        #expect(
            Outcome.allCases.map(\.rawValue) == [
                "rich", "partial", "fallback", "expired", "cancelled", "passthrough", "prefetched", "rejected",
            ])
    }

    private static let codes: [DegradationReason: Int] = [
        .invalidURL: 100, .forbiddenScheme: 100, .unsupportedMedia: 101, .tooLarge: 102, .corruptMedia: 105,
        .truncated: 105, .tooManyPixels: 105,
    ]

    @Test(arguments: DegradationReason.allCases)
    func `a failure has a UNError code only if the file or its address is the cause`(reason: DegradationReason) {
        #expect(MediaFailure(reason, "").unError?.rawValue == Self.codes[reason])
    }
}
