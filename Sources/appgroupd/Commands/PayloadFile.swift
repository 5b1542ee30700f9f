import Glibc
import JSON
import LinuxIO
import NotificationModel

/// The JSON objects of one file (`-`: standard input), each as soon as it is there.
///
/// Most files hold one; several may follow each other, one a line or not, and a pipe may go on for hours. What is no
/// object, or no JSON, is a problem in its place. Reading may block, so it is done on a thread: one for all regular
/// files, and one of its own for each file that may keep its reader waiting.
struct PayloadFile: ~Copyable {
    struct Problem: Error {
        let text: String
    }

    /// A payload past this is none that a push service takes.
    static let mostBytes = 64 << 20

    /// The line on which the object begins that came last, from 1.
    var line: Int { stream.valueLine }

    private let source: PayloadSource
    private var stream = JSONStream()
    private var isAtEnd = false
    private var isEmpty = true

    init(_ source: PayloadSource) { self.source = source }

    mutating func next() async -> Result<JSONObject, Problem>? {
        while true {
            switch stream.next(isAtEnd: isAtEnd) {
            case .value(let value):
                isEmpty = false
                guard let object = value.object else {
                    return .failure(Problem(text: "is not a payload: it is \(value.typeName), not an object"))
                }
                return .success(object)
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
            guard stream.pendingBytes > Self.mostBytes else { return nil }
            stop()
            return Problem(text: "is not a payload: it is longer than \(Self.mostBytes >> 20) MiB")
        } catch {
            stop()
            return Problem(text: error.readingProblem)
        }
    }

    private mutating func stop() {
        stream = JSONStream()
        isAtEnd = true
        isEmpty = false
    }
}

extension SystemError {
    /// The problem of a file that a user has named, and the way to mend it.
    var readingProblem: String {
        switch errno {
        case ENOENT, ENOTDIR: "there is no such file: check the path"
        case EISDIR: "is a directory: name the files in it, such as DIRECTORY/*.json"
        case EACCES: "cannot be read: this user is not permitted to read it: see ls -l"
        default: "cannot be read: \(reason)"
        }
    }
}
