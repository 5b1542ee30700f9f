enum SocketPath {
    /// Bytes; `sockaddr_un` has room for one more (unix(7)).
    static let longest = 107
}
