/// A parser of untrusted bytes that is fuzzed, with a function that reads one input.
///
/// The function gets the bytes of one input. libFuzzer calls the function in the program of `make fuzz`, and the tests
/// call it to replay the corpus. The function returns if the parser reads the input or refuses it. It throws a
/// `FuzzFinding` if a property does not hold, and traps if the parser traps.
///
/// The function runs on the calling thread and ends before it returns; asynchronous code runs on a `TurnedExecutor`.
/// The function opens no connection, and writes only to files in memory. It cannot be cancelled: libFuzzer ends the
/// process if an input takes too long.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of the target, which is also the name of the directories with its corpus and its regressions.
    package let name: String
    package let check: @Sendable ([UInt8]) throws(FuzzFinding) -> Void

    package static let all = [
        FuzzTarget(name: "bmp", check: ImageBodies.bmp), FuzzTarget(name: "configuration", check: configuration),
        FuzzTarget(name: "gif", check: ImageBodies.gif), FuzzTarget(name: "heif", check: heif),
        FuzzTarget(name: "http", check: http), FuzzTarget(name: "ico", check: ImageBodies.ico),
        FuzzTarget(name: "jpeg", check: ImageBodies.jpeg), FuzzTarget(name: "json", check: json),
        FuzzTarget(name: "lint", check: lint), FuzzTarget(name: "payload", check: payload),
        FuzzTarget(name: "png", check: ImageBodies.png), FuzzTarget(name: "sniffer", check: sniffer),
        FuzzTarget(name: "sound", check: sound), FuzzTarget(name: "tiff", check: tiff),
        FuzzTarget(name: "url", check: url), FuzzTarget(name: "webp", check: ImageBodies.webp),
        FuzzTarget(name: "wire", check: wire),
    ]

    /// Returns the target with a name; `nil` if no target has the name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    package var description: String { name }
}

/// A property that does not hold for an input.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Checks a property of an input.
///
/// - Parameter property: A sentence that is true if the parser is correct.
/// - Throws: The property, if it does not hold.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(property()) }
}

/// Returns a value that must not be `nil`.
///
/// - Parameter property: A sentence that is true if the value exists.
/// - Throws: The property, if the value is `nil`.
func unwrap<Value>(_ value: Value?, _ property: @autoclosure () -> String) throws(FuzzFinding) -> Value {
    guard let value else { throw FuzzFinding(property()) }
    return value
}
