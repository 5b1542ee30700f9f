package import Base
import Glibc
package import LinuxIO

/// A reader of the JSON objects in one file, where `-` is standard input. Each is returned as soon as it is complete.
///
/// A file may have several objects, on one line or on several lines, and a pipe may stay open for hours. A text that is
/// not JSON, and a value that is not an object, are returned as problems, in the order of the file.
///
/// The reader may block, so `PayloadSource` runs it on a thread. All regular files share one thread.
package struct PayloadFile: ~Copyable {
    package struct Problem: Error {
        package let text: String
    }

    /// The maximum size of one payload, in bytes. No push service accepts a larger payload.
    package static let maxBytes = 64 << 20

    /// The line on which the last returned object begins, from 1.
    package var line: Int { stream.valueLine }

    private let source: PayloadSource
    private var stream = JSONStream()
    private var isAtEnd = false
    private var isEmpty = true

    package init(_ source: PayloadSource) { self.source = source }

    package mutating func next() async -> Result<JSONObject, Problem>? {
        while true {
            switch stream.next(isAtEnd: isAtEnd) {
            case .value(let value):
                isEmpty = false
                if let object = value.object { return .success(object) }
                return .failure(Problem(text: "is not a payload: it is \(value.typeName), not an object"))
            case .problem(let error):
                isEmpty = false
                return .failure(Problem(text: "is not JSON: \(error)"))
            case .needsMore where isAtEnd:
                defer { isEmpty = false }
                return isEmpty ? .failure(Problem(text: "is empty: write a payload or an envelope into it")) : nil
            case .needsMore:
                if let problem = await readOn() { return .failure(problem) }
            }
        }
    }

    private mutating func readOn() async -> Problem? {
        do throws(SystemError) {
            let piece = try await source.next()
            isAtEnd = piece.isEmpty
            stream.append(piece)
            guard stream.pendingBytes > Self.maxBytes else { return nil }
            return stop(because: "is not a payload: it is longer than \(Self.maxBytes >> 20) MiB")
        } catch {
            return stop(because: error.readingProblem)
        }
    }

    private mutating func stop(because problem: String) -> Problem {
        stream = JSONStream()
        isAtEnd = true
        isEmpty = false
        return Problem(text: problem)
    }
}

extension SystemError {
    /// The description of a problem with a file that the user has named, with a way to solve it.
    package var readingProblem: String {
        switch errno {
        case ENOENT, ENOTDIR: "there is no such file: check the path"
        case EISDIR: "is a directory: name the files in it, such as DIRECTORY/*.json"
        case EACCES: "cannot be read: this user is not permitted to read it: see ls -l"
        default: "cannot be read: \(reason)"
        }
    }
}

/// The bytes of one file. Reading may block, so the actor runs on a thread of an event loop.
package actor PayloadSource {
    private nonisolated let loop: EventLoop
    private let path: String
    private var file: FileReader?
    /// The piece that `peek` has returned, and `next` has not returned yet; `nil` if there is no such piece.
    private var peeked: [UInt8]?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ path: String, on loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// Returns the next piece. The piece is empty at the end of the file.
    package func next() throws(SystemError) -> [UInt8] {
        if let piece = peeked.take() { return piece }
        if file == nil { file = try FileReader(path) }
        return try file?.next() ?? []
    }

    /// Returns the piece that the following call of `next` will also return.
    package func peek() throws(SystemError) -> [UInt8] {
        let piece = try next()
        peeked = piece
        return piece
    }
}

/// The threads on which payload files are read.
package struct PayloadThreads: ~Copyable {
    private let shared: EventLoop

    package init() throws(SystemError) { shared = try EventLoop.start(name: "agd-read") }

    /// Returns the source of a file. A pipe, a terminal or a FIFO gets a separate thread, because a read that waits for
    /// a writer cannot be interrupted. This thread ends with the process.
    package func source(of path: String) throws(SystemError) -> PayloadSource {
        if path != "-", FileSystem.isRegularFile(path) { return PayloadSource(path, on: shared) }
        return PayloadSource(path, on: try EventLoop.start(name: "agd-read-wait"))
    }
}
