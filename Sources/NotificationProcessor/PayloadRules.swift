package import NotificationModel

/// How payloads are read, where what they refer to is, and how well it is made: what a reload may change between two
/// requests.
package struct PayloadRules: Sendable {
    package var dialects: DialectTable
    package var locator: MediaLocator
    /// Of requests that name no language.
    package var language: LanguageTag?
    /// Under which renditions are reached from outside, without a slash at its end; `nil`: they are not.
    package var publicURL: String?
    /// Of JPEGs, libjpeg's: 1…100.
    package var jpegQuality: Int

    package init(
        dialects: DialectTable = .standard, locator: MediaLocator = MediaLocator(), language: LanguageTag? = nil,
        publicURL: String? = nil, jpegQuality: Int = MediaForm.standardQuality
    ) {
        self.dialects = dialects
        self.locator = locator
        self.language = language
        self.publicURL = publicURL
        self.jpegQuality = jpegQuality
    }
}
