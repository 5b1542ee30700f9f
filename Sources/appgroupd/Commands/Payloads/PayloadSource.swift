import LinuxIO

/// The bytes of one file. Reading may block, so the actor runs on a thread of an event loop.
actor PayloadSource {
    private nonisolated let loop: EventLoop
    private let path: String
    private var file: FileReader?
    /// The piece that `peek` has returned, and `next` has not returned yet; `nil` if there is no such piece.
    private var peeked: [UInt8]?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ path: String, on loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// Returns the next piece. The piece is empty at the end of the file.
    func next() throws(SystemError) -> [UInt8] {
        if let piece = peeked.take() { return piece }
        if file == nil { file = try FileReader(path) }
        return try file?.next() ?? []
    }

    /// Returns the piece that the following call of `next` will also return.
    func peek() throws(SystemError) -> [UInt8] {
        let piece = try next()
        peeked = piece
        return piece
    }
}

/// The threads on which payload files are read.
struct PayloadThreads: ~Copyable {
    private let shared: EventLoop

    init() throws(SystemError) { shared = try EventLoop.start(name: "agd-read") }

    /// Returns the source of a file. A pipe, a terminal or a FIFO gets a separate thread, because a read that waits for
    /// a writer cannot be interrupted. This thread ends with the process.
    func source(of path: String) throws(SystemError) -> PayloadSource {
        if path != "-", FileSystem.isRegularFile(path) { return PayloadSource(path, on: shared) }
        return PayloadSource(path, on: try EventLoop.start(name: "agd-read-wait"))
    }
}
