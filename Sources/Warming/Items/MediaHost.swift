import NotificationModel
import WebURL

/// The parts of a URL that a batch needs before the URL is validated.
package enum MediaHost {
    /// Returns the host and the port of a URL, in lower case, such as `cdn.example` or `127.0.0.1:8499`. The default
    /// port of the scheme is left out. The text is empty for a URL without a host, such as a `data:` URL.
    package static func of(_ url: String) -> String {
        InlineMedia.isReference(url) ? "" : UncheckedURL(url).hostAndOwnPort ?? ""
    }

    /// Returns a URL as reports show it: without credentials, query and fragment, and with at most 200 characters.
    package static func shown(_ url: String) -> String {
        VisibleText.short(UncheckedURL(InlineMedia.shown(url)).redacted, most: 200)
    }
}
