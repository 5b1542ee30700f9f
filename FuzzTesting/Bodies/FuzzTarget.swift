/// A parser of foreign bytes that is fuzzed, with a function that reads one input.
///
/// The function is the same for libFuzzer and for the tests that replay the corpus. It returns if the parser refuses
/// the input or reads it, and throws if a property does not hold. It traps if the parser does.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of the directories of its corpus and its regressions.
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

    /// - Returns: `nil` if no target has the name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    package var description: String { name }
}

/// A property that does not hold for an input.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// - Parameter property: A sentence that is true if the parser is right.
/// - Throws: The property, if it does not hold.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(property()) }
}

/// - Parameter property: A sentence that is true if the value is there.
/// - Throws: The property, if there is no value.
func unwrap<Value>(_ value: Value?, _ property: @autoclosure () -> String) throws(FuzzFinding) -> Value {
    guard let value else { throw FuzzFinding(property()) }
    return value
}
