/// What a file is to a person who gets a notification.
package enum MediaClass: String, Sendable, Equatable, CaseIterable {
    case picture
    case video
    case sound
}
