import NotificationModel
import NotificationProcessor

extension MediaURLResolver {
    /// Returns the URLs from which a reference may be fetched without a configuration; the reference itself if it has none.
    static func locations(of reference: String) -> [String] {
        (try? MediaURLResolver().locations(of: MediaReference(url: reference), dialect: nil).get()) ?? [reference]
    }
}
