/// What single providers ask for, each in a file of its own.
enum ProviderRules {
    static let all =
        NativeRules.all + TwoMeeRules.all + SendiosRules.all + ComapiRules.all + MatrixRules.all + AirshipRules.all
        + BrazeRules.all + CleverTapRules.all + FCMRules.all + WebPushRules.all + NtfyRules.all + EmbeddedRules.all
}
