package import NotificationModel

/// The bytes of a response: a stretch of a file, which lives as long as somebody holds it.
package struct ResponseBody: Sendable {
    /// `nil` where there are no bytes.
    package var file: MediaFile?
    /// Offsets in the file.
    package var bytes: Range<Int>

    package init(file: MediaFile, bytes: Range<Int>) {
        self.file = file
        self.bytes = bytes
    }

    private init() {
        file = nil
        bytes = 0..<0
    }

    package static let empty = ResponseBody()
}
