/// Which texts the payload to send on has.
package enum ForwardedTexts: String, Sendable, CaseIterable {
    /// The provider's own, whatever became of the media.
    case success
    /// Those of the processed content, after a fallback or an expiry.
    case asShown = "as-shown"
}
