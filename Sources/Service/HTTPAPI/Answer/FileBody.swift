package import Base
package import HummingbirdCore

/// A body that is read from a file while it is written.
package protocol FileBody: Sendable {
    /// Writes the body, each piece when the connection has room for it.
    ///
    /// - Parameter draining: An event that is signalled when the server ends.
    /// - Throws: The error of the connection or of the file. The response then ends before its announced length, so that
    ///   the client sees the failure.
    @concurrent func write(
        to writer: consuming some ResponseBodyWriter, over connection: Connection, until draining: AsyncEvent
    ) async throws
}
