/// Why the served folder gives no file for a path.
package enum FileRefusal: Error, Sendable, Equatable {
    /// Nothing of that name, a folder, a device, or a symbolic link anywhere on the way.
    case notFound
    /// It is there and cannot be read.
    case unreadable(errno: Int32)
    /// It has more bytes than are encoded for one reply.
    case tooLargeToEncode(limit: Int)
}
