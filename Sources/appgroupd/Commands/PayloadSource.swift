import LinuxIO

/// The bytes of one file, read on a thread that may block.
actor PayloadSource {
    private nonisolated let loop: EventLoop
    private let path: String
    private var file: FileReader?
    /// The piece that was peeked at.
    private var peeked: [UInt8]?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ path: String, on loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// The next piece, empty at the end.
    func next() throws(SystemError) -> [UInt8] {
        if let piece = peeked.take() { return piece }
        if file == nil { file = try FileReader(path) }
        return try file?.next() ?? []
    }

    /// The piece that `next` returns then.
    func peek() throws(SystemError) -> [UInt8] {
        let piece = try next()
        peeked = piece
        return piece
    }
}

/// The threads that payload files are read on.
struct PayloadThreads: ~Copyable {
    private let shared: EventLoop

    init() throws(SystemError) { shared = try EventLoop.start(name: "agd-read") }

    /// A pipe, a terminal or a FIFO gets a thread of its own, which ends with the process: nothing wakes a reader that
    /// waits for somebody to write.
    func source(of path: String) throws(SystemError) -> PayloadSource {
        if path != "-", FileSystem.isRegularFile(path) { return PayloadSource(path, on: shared) }
        return PayloadSource(path, on: try EventLoop.start(name: "agd-read-wait"))
    }
}
