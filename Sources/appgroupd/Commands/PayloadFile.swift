import LinuxIO
import NotificationModel

/// The JSON objects of one file (`-`: standard input), read when the first is asked for.
///
/// Most files hold one; several may follow each other, one a line or not. What is no object, or no JSON, is a problem in
/// its place; behind a syntax error nothing more is read.
struct PayloadFile: Sequence, IteratorProtocol {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private enum State {
        case unread(String)
        case reading(JSONParser, isFirst: Bool)
        case ended
    }

    private var state: State

    init(_ path: String) { state = .unread(path) }

    mutating func next() -> Result<JSONObject, Problem>? {
        switch state {
        case .unread(let path):
            do throws(SystemError) {
                state = .reading(JSONParser(try FileSystem.contents(of: path)), isFirst: true)
                return next()
            } catch {
                state = .ended
                return .failure(Problem(description: "cannot be read: \(error.reason)"))
            }
        case .reading(var parser, let isFirst):
            do throws(JSONSyntaxError) {
                guard let value = try parser.next() else {
                    state = .ended
                    return isFirst ? .failure(Problem(description: "is no JSON: it is empty")) : nil
                }
                state = .reading(parser, isFirst: false)
                guard let object = value.object else {
                    return .failure(Problem(description: "is no payload: it holds \(value.typeName), not an object"))
                }
                return .success(object)
            } catch {
                state = .ended
                return .failure(Problem(description: "is no JSON: \(error)"))
            }
        case .ended: return nil
        }
    }
}
