/// Why a request target asks for nothing that the origin has.
package enum OriginPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The target is neither a path nor an absolute `http` or `https` URL.
    case notAPath(String)
    /// A fault stands without its argument, or with one that it cannot take.
    case badArgument(fault: String, argument: String, expected: String)
    /// More faults than ``OriginRequestPath/mostFaults``.
    case tooManyFaults
    /// A `%` without two hexadecimal digits, or bytes that are no UTF-8.
    case badPercentEncoding(String)
    /// A `..` above the served folder, or a byte that no file name holds.
    case outsideTheFolder(String)

    /// What is wrong, where, and how to write it.
    package var description: String {
        switch self {
        case .notAPath(let target): "`\(target)` is no path; a path begins with `/`"
        case .badArgument(let fault, "", let expected): "/\(fault)/ lacks its argument; write \(expected)"
        case .badArgument(let fault, let argument, let expected):
            "/\(fault)/ does not take `\(argument)`; write \(expected)"
        case .tooManyFaults: "more than \(OriginRequestPath.mostFaults) faults in one path"
        case .badPercentEncoding(let segment): "`\(segment)` is not percent-encoded UTF-8"
        case .outsideTheFolder(let segment): "`\(segment)` names nothing inside the served folder"
        }
    }
}
